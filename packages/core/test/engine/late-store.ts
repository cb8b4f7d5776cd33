import type { Store } from 'holdfast';
import { defineStore, type NewRun } from 'holdfast/store';
import { openDriver } from '../../src/store/store.ts';
import type { FaultKind } from '../../src/testing/fault/fault-plan.ts';
import { FaultyDriver } from '../../src/testing/fault/faulty-driver.ts';
import { withCalls } from '../../src/testing/with-calls.ts';

/** What the commit that comes late is known by. */
interface LateBatch {
  readonly runId: string;
  readonly create: NewRun | null;
}

/** A store over a connection that breaks once, when the test says so: the commit it had sent is executed later. */
export interface LateStore {
  readonly store: Store;
  /** The next commit that has such a batch fails, and is made when it arrives. */
  readonly breakAt: (isLate: (batch: LateBatch) => boolean, kind?: FaultKind) => void;
  /** The late commits arrive; gives how many there were. */
  readonly arrive: () => Promise<number>;
}

/** The store, over a connection that breaks. */
export function lateStore(inside: Store): LateStore {
  const arrivals: (() => Promise<void>)[] = [];
  let armed: { readonly isLate: (batch: LateBatch) => boolean; readonly kind: FaultKind } | undefined;
  let next: FaultKind | undefined;
  const plan = (): FaultKind | undefined => {
    const kind = next;
    next = undefined;
    return kind;
  };
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    const faulty = new FaultyDriver(driver, plan, { clock: env.clock, onLate: (arrive) => arrivals.push(arrive) });
    return withCalls(faulty, {
      commit: (batches) => {
        if (armed !== undefined && batches.some(armed.isLate)) {
          next = armed.kind;
          armed = undefined;
        }
        return faulty.commit(batches);
      },
    });
  });
  return {
    store,
    breakAt: (isLate, kind = 'late-commit') => {
      armed = { isLate, kind };
    },
    arrive: async () => {
      const late = arrivals.splice(0);
      for (const arrive of late) await arrive();
      return late.length;
    },
  };
}
