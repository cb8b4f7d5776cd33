import type { Store } from 'holdfast';
import { defineStore, type StoreDriver } from 'holdfast/store';
import { openDriver } from '../../packages/core/src/store/store.ts';
import { withCalls } from '../../packages/core/src/testing/with-calls.ts';

/** The store with some of its driver's methods done differently. */
export function driverAbove(store: Store, change: (driver: StoreDriver) => Partial<StoreDriver>): Store {
  return defineStore(async (env) => {
    const driver = await openDriver(store, env);
    return withCalls(driver, change(driver));
  });
}
