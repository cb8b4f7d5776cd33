import type { StoredId, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { IdQuery, RecordQuery, SnapshotQuery } from '../contract/read.ts';
import { selectIdsOf } from '../select-ids.ts';
import { compareSnapshots } from '../snapshot-order.ts';
import type { MemoryPlace } from './memory-place.ts';

/** The records of a run that match the query. */
export function readRecords({ runs }: MemoryPlace, query: RecordQuery): readonly StoredRecord[] {
  const run = runs.get(query.runId);
  if (run === undefined) return [];
  const { after = 0, before = Number.MAX_SAFE_INTEGER, limit } = query;
  const from = Math.max(0, after + 1 - run.firstSeq);
  const to = Math.min(run.records.length, Math.max(0, before - run.firstSeq));
  if (query.order === 'oldest') return run.records.slice(from, Math.min(to, from + limit));
  return run.records.slice(Math.max(from, to - limit), to).toReversed();
}

/** The snapshots of a run that match the query, greatest first. */
export function readSnapshots({ runs }: MemoryPlace, query: SnapshotQuery): readonly StoredSnapshot[] {
  const { runId, covers = Number.MAX_SAFE_INTEGER, before, limit, bodies } = query;
  const found: StoredSnapshot[] = [];
  for (const snapshot of runs.get(runId)?.snapshots.toReversed() ?? []) {
    if (found.length === limit) break;
    if (snapshot.covers > covers || (before && compareSnapshots(snapshot, before) >= 0)) continue;
    found.push(bodies ? snapshot : { ...snapshot, body: undefined });
  }
  return found;
}

/** The ids of a run that match the query. */
export function readIds({ runs }: MemoryPlace, query: IdQuery): readonly StoredId[] {
  const ids = runs.get(query.runId)?.ids;
  return ids === undefined ? [] : selectIdsOf(ids, query);
}
