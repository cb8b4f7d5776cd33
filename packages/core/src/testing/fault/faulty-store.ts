import { defineStore, openDriver, type Store } from '../../store/store.ts';
import type { FaultPlan } from './fault-plan.ts';
import { FaultyDriver } from './faulty-driver.ts';
import type { LateOptions } from './late-commits.ts';

/**
 * The store, but failing as planned: for tests of what your own code does when a disk or a connection fails.
 *
 * @example
 * ```ts
 * const store = faultyStore(memoryStore(), scriptedFaults({ commit: [undefined, 'lost-answer'] }));
 * const shaken = await openEngine(store);
 * ```
 */
export function faultyStore(store: Store, plan: FaultPlan, late: LateOptions = {}): Store {
  return defineStore(async (env, how) => {
    const inside = await openDriver(store, env, how);
    return new FaultyDriver(inside, plan, { ...late, clock: env.clock });
  });
}
