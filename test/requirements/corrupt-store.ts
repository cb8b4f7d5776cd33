import type { Store } from 'holdfast';
import { driverAbove } from './driver-above.ts';

/** The store as if the medium had changed the newest snapshot of every run: a text that its checksum does not match. */
export function corruptStore(store: Store): Store {
  return driverAbove(store, (driver) => ({
    snapshots: async (query) => {
      const found = await driver.snapshots(query);
      const [newest] = await driver.snapshots({ runId: query.runId, limit: 1, bodies: false });
      return found.map((snapshot) => {
        if (snapshot.seq !== newest?.seq) return snapshot;
        return { ...snapshot, head: { ...snapshot.head, text: `${snapshot.head.text} ` } };
      });
    },
  }));
}
