import type { StoredRecord } from '../contract/commit.ts';
import type { RecordQuery } from '../contract/read.ts';
import { firstSeq, lastSeq } from '../table/table-run.ts';
import { unpackRecords } from './row/packed-row.ts';
import { type KnownRun } from './run/run-row.ts';
import type { Tables } from './run/tables.ts';

/** Seqs of a run, both ends included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The records of a run that meet a query. @throws HOLDFAST_CORRUPT */
export function readRecords(
  tables: Tables,
  known: KnownRun,
  query: Omit<RecordQuery, 'runId'>,
): readonly StoredRecord[] {
  const { after = 0, before = Number.MAX_SAFE_INTEGER, order, limit } = query;
  const from = Math.max(after + 1, firstSeq(known.row));
  const to = Math.min(before - 1, lastSeq(known));
  if (order === 'oldest') return readSpan(tables, known, { from, to: Math.min(to, from + limit - 1) });
  return readSpan(tables, known, { from: Math.max(from, to - limit + 1), to }).toReversed();
}

/** Oldest first. */
function readSpan(tables: Tables, known: KnownRun, { from, to }: Span): readonly StoredRecord[] {
  if (to < from) return [];
  const found: StoredRecord[] = [];
  for (const row of tables.chain.walk(known, to)) {
    for (const record of unpackRecords(row).toReversed()) {
      if (record.seq >= from && record.seq <= to) found.push(record);
    }
    if (row.first <= from) break;
  }
  return found.toReversed();
}
