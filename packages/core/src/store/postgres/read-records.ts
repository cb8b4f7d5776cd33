import type { StoredId, StoredRecord } from '../contract/commit.ts';
import type { IdQuery, RecordQuery } from '../contract/read.ts';
import { corrupt } from '../table/corrupt.ts';
import type { Row, Session } from './connection/database.ts';
import { readRow, rowColumns, unpackRecords } from './run/packed-row.ts';
import type { KnownRun } from './run/run-row.ts';

const highest = Number.MAX_SAFE_INTEGER;

/** The seqs that are asked for and kept, both ends included. */
const span = `SELECT r.key, GREATEST($2::bigint + 1, r.floor + 1, coalesce(r.base_seq, 0) + 1) AS low,
    LEAST($3::bigint - 1, coalesce(r.top, h.seq)) AS high
  FROM @runs r JOIN @heads h ON h.key = r.key WHERE r.run = $1`;
/** The rows that hold them. A row is found by its last seq: the last one may end past the span. */
const rowsOf = (order: 'ASC' | 'DESC'): string => `WITH span AS (${span})
  SELECT span.low, span.high, ${rowColumns} FROM span LEFT JOIN LATERAL (
    SELECT * FROM @rows w WHERE w.key = span.key AND w.seq >= span.low AND span.low <= span.high AND w.seq <= coalesce(
      (SELECT x.seq FROM @rows x WHERE x.key = span.key AND x.seq >= span.high ORDER BY x.seq LIMIT 1), span.high)
    ORDER BY w.seq ${order} LIMIT $4) w ON true ORDER BY w.seq`;
const statements = { oldest: rowsOf('ASC'), newest: rowsOf('DESC') };

const holding = `SELECT ${rowColumns} FROM @rows w WHERE w.key = $1::bigint AND w.seq >= $2::bigint ORDER BY w.seq LIMIT 1`;

const idColumns = 'i.id, i.seq, i.at, i.crc, i.text';
/** What is past the last seq that a hidden run keeps may still wait to be dropped. */
const idsOf = (condition: string): string => `SELECT ${idColumns} FROM @runs r JOIN @ids i ON i.key = r.key
  WHERE r.run = $1 AND ${condition} AND i.id > $3 AND i.seq <= LEAST($4::bigint, coalesce(r.top, ${highest}))
  ORDER BY i.id LIMIT $5`;
const oneId = idsOf('i.id = $2');
const someIds = idsOf('$2::text IS NULL');

/** The records of a run that a query finds. @throws HOLDFAST_CORRUPT */
export async function readRecords(session: Session, query: RecordQuery): Promise<readonly StoredRecord[]> {
  const { runId, after = 0, before = highest, order, limit } = query;
  const rows = await session.rows(statements[order], [runId, after, before, limit]);
  const [low, high] = (rows[0] ?? [1, 0]).map(Number) as [number, number];
  const wanted =
    order === 'oldest'
      ? { low, high: Math.min(high, low + limit - 1) }
      : { low: Math.max(low, high - limit + 1), high };
  const packed = rows.filter((row) => row[2] !== null).map((row) => row.slice(2));
  const records = recordsIn(runId, packed, wanted);
  return order === 'oldest' ? records : records.toReversed();
}

/** Seqs of a run, both ends included. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** The records of a span, oldest first, from the rows that hold them. @throws HOLDFAST_CORRUPT when one is missing */
export function recordsIn(runId: string, rows: readonly Row[], { low, high }: Span): readonly StoredRecord[] {
  const found: StoredRecord[] = [];
  let next = low;
  for (const columns of rows) {
    for (const record of unpackRecords(readRow(runId, columns))) {
      if (record.seq < low || record.seq > high) continue;
      if (record.seq !== next) throw corrupt({ table: 'rows', runId, seq: next }, 'it is missing');
      found.push(record);
      next += 1;
    }
  }
  if (next <= high) throw corrupt({ table: 'rows', runId, seq: next }, 'it is missing');
  return found;
}

/** The token of the batch that wrote this record; undefined if there is none. @throws HOLDFAST_CORRUPT */
export async function tokenAt(session: Session, { row }: KnownRun, seq: number): Promise<string | undefined> {
  const [columns] = await session.rows(holding, [row.key, seq]);
  if (columns === undefined) return undefined;
  const { first, token } = readRow(row.run, columns);
  return first <= seq ? token : undefined;
}

/** The ids of a run that a query finds. */
export async function readIds(session: Session, query: IdQuery): Promise<readonly StoredId[]> {
  const { runId, id, upTo = highest, after = '', limit } = query;
  const rows = await session.rows(id === undefined ? someIds : oneId, [runId, id ?? null, after, upTo, limit]);
  return rows.map(readId);
}

/** An id from its columns. */
export function readId([id, seq, at, crc, text]: Row): StoredId {
  return { id: id as string, seq: Number(seq), at: Number(at), crc: Number(crc), text: text as string };
}
