import type { SnapshotKey } from './contract/commit.ts';

/** The order of a run's snapshots: by how much of the journal they cover, then by their own seq. */
export function compareSnapshots(a: SnapshotKey, b: SnapshotKey): number {
  return a.covers - b.covers || a.seq - b.seq;
}
