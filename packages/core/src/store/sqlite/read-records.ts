import type { StoredRecord } from '../contract/commit.ts';
import type { RecordQuery } from '../contract/read.ts';
import { corrupt } from './errors.ts';
import { unpackRecords } from './row/packed-row.ts';
import { firstSeq, hasDropped, type KnownRun, lastSeq } from './run/run-row.ts';
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
  const { after = 0, before = Number.MAX_SAFE_INTEGER, order, limit, id } = query;
  const from = Math.max(after + 1, firstSeq(known.row));
  const to = Math.min(before - 1, lastSeq(known));
  if (id !== undefined) return byId(tables, known, id).filter(({ seq }) => seq >= from && seq <= to);
  if (order === 'oldest') return readSpan(tables, known, { from, to: Math.min(to, from + limit - 1) });
  return readSpan(tables, known, { from: Math.max(from, to - limit + 1), to }).toReversed();
}

/** Oldest first. */
function readSpan(tables: Tables, known: KnownRun, { from, to }: Span): readonly StoredRecord[] {
  if (to < from) return [];
  const found: StoredRecord[] = [];
  for (const row of tables.chain.walk(known, to)) {
    for (const record of unpackRecords(row).toReversed()) {
      if (record.seq < from || record.seq > to) continue;
      if (record.id !== undefined) checkId(tables, known, { id: record.id, seq: record.seq });
      found.push(record);
    }
    if (row.first <= from) break;
  }
  return found.toReversed();
}

function byId(tables: Tables, known: KnownRun, id: string): readonly StoredRecord[] {
  const seq = tables.ids.find(known.row.key, id);
  // What was trimmed may still wait to be dropped.
  if (seq === undefined || (seq > 0 && hasDropped(known, seq))) return [];
  const found = readSpan(tables, known, { from: seq, to: seq });
  if (found[0]?.id === id) return found;
  throw corrupt({ table: 'ids', runId: known.row.run, seq }, `it leads to a record that does not have the id ${id}`);
}

/** A record that its id does not lead to would be lost without a sign. */
function checkId(tables: Tables, { row: { key, run: runId } }: KnownRun, place: { id: string; seq: number }): void {
  const { id, seq } = place;
  if (tables.ids.find(key, id) === seq) return;
  throw corrupt({ table: 'ids', runId, seq }, `the id ${id} does not lead to its record`);
}
