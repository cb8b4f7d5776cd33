import type { StoreDriver } from '../store/contract/driver.ts';
import { defineStore, openDriver, type Store } from '../store/store.ts';
import { type VirtualProcess, virtualHost } from './file/virtual-machine.ts';
import type { StorePlace } from './store-place.ts';

/** The store, where every opening is a process of its own that may die, and the others see it. */
export function mortalStore(store: Store): Pick<StorePlace, 'store' | 'kill'> {
  const begin = virtualHost({ isCertain: true });
  const processes = new Map<StoreDriver, VirtualProcess>();
  return {
    store: defineStore(async (env) => {
      const machine = begin();
      const driver = await openDriver(store, { ...env, machine });
      processes.set(driver, machine);
      return driver;
    }),
    kill: async (driver) => processes.get(driver)?.die(),
  };
}
