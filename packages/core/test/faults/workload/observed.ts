import type { StoreDriver } from '../../../src/store/contract.ts';
import { say } from './line.ts';

/** Says when the driver begins and ends a commit: a kill in between hits a commit in flight. */
export function observed(driver: StoreDriver): StoreDriver {
  return {
    capabilities: driver.capabilities,
    commit: async (batches) => {
      say({ type: 'group-start' });
      try {
        return await driver.commit(batches);
      } finally {
        say({ type: 'group-end' });
      }
    },
    records: (query) => driver.records(query),
    snapshots: (query) => driver.snapshots(query),
    runs: (query) => driver.runs(query),
    claim: (request) => driver.claim(request),
    trim: (plan) => driver.trim(plan),
    watch: (listener) => driver.watch(listener),
    close: () => driver.close(),
  };
}
