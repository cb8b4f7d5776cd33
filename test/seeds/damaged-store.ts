import type { Store } from 'holdfast';
import { defineStore } from 'holdfast/store';
import { openDriver } from '../../packages/core/src/store/store.ts';

/** The store as if the medium had changed the newest snapshot of every run: a text that its checksum does not match. */
export function damagedStore(store: Store): Store {
  return defineStore(async (env) => {
    const driver = await openDriver(store, env);
    const snapshots: typeof driver.snapshots = async (query) => {
      const found = await driver.snapshots(query);
      const [newest] = await driver.snapshots({ run: query.run, limit: 1, bodies: false });
      return found.map((snapshot) => {
        if (snapshot.seq !== newest?.seq) return snapshot;
        return { ...snapshot, head: { ...snapshot.head, text: `${snapshot.head.text} ` } };
      });
    };
    return {
      capabilities: driver.capabilities,
      commit: (batches) => driver.commit(batches),
      records: (query) => driver.records(query),
      snapshots,
      runs: (query) => driver.runs(query),
      claim: (request) => driver.claim(request),
      trim: (plan) => driver.trim(plan),
      watch: (listener) => driver.watch(listener),
      close: () => driver.close(),
    };
  });
}
