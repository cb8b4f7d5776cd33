import type { Store } from 'holdfast';
import { defineStore, type StoreDriver } from 'holdfast/store';
import { openDriver } from '../../packages/core/src/store/store.ts';

/** The store with some of its driver's methods done differently. */
export function driverAbove(store: Store, change: (driver: StoreDriver) => Partial<StoreDriver>): Store {
  return defineStore(async (env) => {
    const driver = await openDriver(store, env);
    return {
      capabilities: driver.capabilities,
      commit: (batches) => driver.commit(batches),
      records: (query) => driver.records(query),
      snapshots: (query) => driver.snapshots(query),
      runs: (query) => driver.runs(query),
      claim: (request) => driver.claim(request),
      trim: (plan) => driver.trim(plan),
      watch: (listener) => driver.watch(listener),
      close: () => driver.close(),
      ...change(driver),
    };
  });
}
