import type { StoredRecord } from '../../contract/commit.ts';
import { firstSeq, lastSeq } from '../../table/table-run.ts';
import type { Session } from '../connection/database.ts';
import { packRecords, readRow, rowColumns, sumOfPlace, unpackRecords } from '../run/packed-row.ts';
import { type KnownRun } from '../run/run-row.ts';

/** Which seqs go: those up to `low` and those past `high`. */
export interface Cut {
  readonly low: number;
  readonly high: number;
}

/** What was dropped, or would be. */
export interface Freed {
  readonly records: number;
  readonly bytes: number;
  /** Whether something waits for the next call. */
  readonly more: boolean;
}

/** Rows that lie wholly outside, and the few that end or begin inside. */
const outside = 'w.key = $1::bigint AND (w.seq <= $2::bigint OR w.first > $3::bigint)';
const across = `SELECT ${rowColumns} FROM @rows w WHERE w.key = $1::bigint
  AND ((w.first <= $2::bigint AND w.seq > $2::bigint) OR (w.first <= $3::bigint AND w.seq > $3::bigint))`;
const totals = 'coalesce(sum(records), 0), coalesce(sum(bytes), 0), count(*)';
const sizes = 'w.seq - w.first + 1 AS records, octet_length(w.text) AS bytes';
const countOutside = `SELECT ${totals} FROM (SELECT ${sizes} FROM @rows w WHERE ${outside}) AS w`;
const dropOutside = `WITH gone AS (DELETE FROM @rows w WHERE (w.key, w.seq) IN
    (SELECT w.key, w.seq FROM @rows w WHERE ${outside} ORDER BY w.seq LIMIT $4::int) RETURNING ${sizes})
  SELECT ${totals} FROM gone`;
const rewrite = `UPDATE @rows SET seq = $3::bigint, first = $4::bigint, sum = $5::int, parts = $6, text = $7
  WHERE key = $1::bigint AND seq = $2::bigint`;

/** Counts what a cut would drop of what the run keeps. */
export async function countRows(session: Session, known: KnownRun, { low, high }: Cut): Promise<Freed> {
  const { key } = known.row;
  const [row] = await session.rows(countOutside, [key, low, high]);
  const edges = (await edgesOf(session, known, { low, high })).flatMap(({ gone }) => gone);
  return added(row ?? [], edges, Number.POSITIVE_INFINITY);
}

/** Drops rows above the last seq that the run keeps, and below its first: a bounded number of them. */
export async function cutRows(session: Session, known: KnownRun, rows: number): Promise<Freed> {
  const { key } = known.row;
  const cut = { low: firstSeq(known.row) - 1, high: lastSeq(known) };
  const [row] = await session.rows(dropOutside, [key, cut.low, cut.high, rows]);
  const edges = await edgesOf(session, known, cut);
  for (const { seq, token, kept } of edges) {
    const packed = packRecords(key, token, kept);
    await session.rows(rewrite, [key, seq, packed.seq, packed.first, sumOfPlace(packed), packed.parts, packed.text]);
  }
  return added(
    row ?? [],
    edges.flatMap(({ gone }) => gone),
    rows,
  );
}

interface Edge {
  readonly seq: number;
  readonly token: string;
  readonly gone: readonly StoredRecord[];
  readonly kept: readonly StoredRecord[];
}

async function edgesOf(session: Session, { row }: KnownRun, { low, high }: Cut): Promise<readonly Edge[]> {
  const rows = await session.rows(across, [row.key, low, high]);
  const isKept = ({ seq }: StoredRecord): boolean => seq > low && seq <= high;
  return rows.map((columns) => {
    const packed = readRow(row.run, columns);
    const records = unpackRecords(packed);
    const { seq, token } = packed;
    return { seq, token, gone: records.filter((each) => !isKept(each)), kept: records.filter(isKept) };
  });
}

function added([records, bytes, count]: readonly unknown[], gone: readonly StoredRecord[], most: number): Freed {
  const more = gone.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return { records: Number(records) + gone.length, bytes: Number(bytes) + more, more: Number(count) >= most };
}
