import type { Store } from 'holdfast';
import { driverAbove } from './driver-above.ts';

/** What a store was asked to read. */
interface Counts {
  readonly records: number;
  readonly snapshots: number;
}

/** The store, and how many records and snapshots it has given so far. */
export function countingStore(store: Store): { readonly store: Store; readonly read: () => Counts } {
  let records = 0;
  let snapshots = 0;
  const counting = driverAbove(store, (driver) => ({
    load: async (query) => {
      const found = await driver.load(query);
      records += found?.records.length ?? 0;
      snapshots += found?.snapshot === undefined ? 0 : 1;
      return found;
    },
    records: async (query) => {
      const found = await driver.records(query);
      records += found.length;
      return found;
    },
    snapshots: async (query) => {
      const found = await driver.snapshots(query);
      snapshots += found.length;
      return found;
    },
  }));
  return { store: counting, read: () => ({ records, snapshots }) };
}
