import type { StoreDriver } from '../store/contract/driver.ts';

/** The same driver, with some calls replaced. */
export function withCalls(driver: StoreDriver, calls: Partial<StoreDriver>): StoreDriver {
  return {
    capabilities: driver.capabilities,
    commit: (batches) => driver.commit(batches),
    resolveDoubt: (batch) => driver.resolveDoubt(batch),
    transact: driver.transact?.bind(driver),
    within: driver.within?.bind(driver),
    load: (query) => driver.load(query),
    records: (query) => driver.records(query),
    snapshots: (query) => driver.snapshots(query),
    ids: (query) => driver.ids(query),
    runs: (query) => driver.runs(query),
    claim: (request) => driver.claim(request),
    trim: (plan) => driver.trim(plan),
    watch: (listener) => driver.watch(listener),
    close: () => driver.close(),
    ...calls,
  };
}
