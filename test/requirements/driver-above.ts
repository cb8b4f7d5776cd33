import type { Store } from 'holdfast';
import type { StoreDriver } from 'holdfast/store';
import { defineStore, openDriver, withCalls } from './seams.ts';

/** The store with some of its driver's methods done differently. */
export function driverAbove(store: Store, change: (driver: StoreDriver) => Partial<StoreDriver>): Store {
  return defineStore(async (env) => {
    const driver = await openDriver(store, env);
    return withCalls(driver, change(driver));
  });
}
