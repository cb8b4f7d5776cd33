import type { Env } from '../env/env.ts';
import { nodeEnv } from '../env/node-env.ts';
import { type Checkpoints, createCheckpoints } from '../journal/checkpoints.ts';
import { createJournals, type Journals } from '../journal/journals.ts';
import { RunWriter } from '../journal/run-writer.ts';
import { type VerifyReport, verifyStore } from '../journal/verify.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import { type StoreUrl, storeAt } from './store-at.ts';

/** What an engine may be told when it is opened. */
export interface EngineOptions {
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** An open store and all that can be done with it. */
export interface Engine extends AsyncDisposable {
  /** The journals of all runs, for agents that bring their own loop. */
  readonly journal: Journals;
  /** The checkpoints of agents that bring their own loop. */
  readonly checkpoints: Checkpoints;
  /** Reads the whole store and says where something is damaged or missing. */
  verify(): Promise<VerifyReport>;
  /** Waits for the commits under way and closes the store. */
  close(): Promise<void>;
}

/** Opens a store by its address, or one of one's own. @throws HOLDFAST_INVALID_OPTION */
export async function open(store: StoreUrl | Store, { clock }: EngineOptions = {}): Promise<Engine> {
  const env: Env = clock === undefined ? nodeEnv : { ...nodeEnv, clock };
  const opened = await openStore(typeof store === 'string' ? await storeAt(store) : store, env);
  const writer = new RunWriter(opened, env);
  const parts = { store: opened, env, writer };
  return {
    journal: createJournals(parts),
    checkpoints: createCheckpoints(parts),
    verify: () => verifyStore(opened),
    close: () => opened.close(),
    [Symbol.asyncDispose]: () => opened.close(),
  };
}
