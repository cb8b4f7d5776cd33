import type { Env } from '../env/env.ts';
import { backoffMs } from '../time/backoff.ts';
import type { StoreDriver } from './contract/driver.ts';
import { reason } from './store-fault.ts';

const firstWaitMs = 100;
const longestWaitMs = 5_000;

interface ReopenOptions {
  /** The one that failed. */
  readonly driver: StoreDriver;
  readonly open: () => Promise<StoreDriver>;
  readonly env: Env;
  /** Gives up. */
  readonly signal: AbortSignal;
}

/** Opens a store again that cannot be trusted any more, however often that has to be tried. @throws the signal's reason */
export async function reopenDriver({ driver, open, env, signal }: ReopenOptions): Promise<StoreDriver> {
  // What it fails with is known: that is why it is closed.
  await driver.close().catch(() => undefined);
  for (let attempt = 1; ; attempt += 1) {
    const waitMs = backoffMs({ attempt, backoffMs: firstWaitMs, factor: 2, random: env.random });
    await env.clock.sleep(Math.min(waitMs, longestWaitMs), signal);
    try {
      return await open();
    } catch (error) {
      if (attempt === 1) env.warn(`The store could not be reopened yet (${reason(error)}). Holdfast keeps trying.`);
    }
  }
}
