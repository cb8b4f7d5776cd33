import { inParallel } from '../../async/in-parallel.ts';
import type { Files } from '../../env/files.ts';
import type { StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { RecordQuery, SnapshotQuery } from '../contract/read.ts';
import { compareSnapshots } from '../snapshot-order.ts';
import type { FileRunState } from './run/file-run-state.ts';
import { type RunPlace, snapshotPath } from './run/run-place.ts';
import { readRecords as readRange } from './segment/record-range.ts';
import { firstSeq, lastSeq } from './segment/tail.ts';
import { corruptPart, readSnapshot } from './snapshot/snapshot-file.ts';

/** The run that is read: where its files are, and its state. */
export interface ReadRun {
  readonly files: Files;
  readonly place: RunPlace;
  readonly state: FileRunState;
}

/** Answers a query for records. @throws HOLDFAST_CORRUPT */
export async function readRecords(
  { files, place, state }: ReadRun,
  query: RecordQuery,
): Promise<readonly StoredRecord[]> {
  const first = Math.max(firstSeq(state.tail), (query.after ?? 0) + 1);
  const last = Math.min(lastSeq(state.tail), (query.before ?? Number.POSITIVE_INFINITY) - 1);
  if (first > last) return [];
  const count = Math.min(query.limit, last - first + 1);
  if (query.order === 'oldest') return readRange(files, { place, state, from: first, to: first + count - 1 });
  return (await readRange(files, { place, state, from: last - count + 1, to: last })).toReversed();
}

/** Answers a query for snapshots. Corrupt ones are among them, marked as such. */
export async function readSnapshots(
  { files, place, state }: ReadRun,
  query: SnapshotQuery,
): Promise<readonly StoredSnapshot[]> {
  const { covers = Number.POSITIVE_INFINITY, before, limit, bodies } = query;
  const wanted = state.snapshots
    .filter((file) => file.covers <= covers && (before === undefined || compareSnapshots(file, before) < 0))
    .slice(-limit)
    .toReversed();
  return inParallel(wanted, 8, (file) =>
    readSnapshot(files, snapshotPath(place, file), { runId: query.runId, key: file, body: bodies }),
  );
}

/** Whether a part of the snapshot is not what was written, or is not there. */
export function isCorrupt({ head, body }: StoredSnapshot): boolean {
  return head === corruptPart || body === corruptPart;
}
