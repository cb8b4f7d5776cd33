import type { StoredId, StoredRecord, StoredSnapshot } from '../../contract/commit.ts';
import type { LoadQuery, Located, StoredRun } from '../../contract/read.ts';
import { firstSeq, lastSeq } from '../../table/table-run.ts';
import type { Row, Session } from '../connection/database.ts';
import { readId, recordsIn } from '../read-records.ts';
import { headerOf, type KnownRun, readRun, runJoin, runJson } from './run-row.ts';
import { isKept, readSnapshot } from './snapshots.ts';

const highest = Number.MAX_SAFE_INTEGER;

/** The kinds of rows that the statement returns. */
const kinds = { run: 0, snapshot: 1, row: 2, id: 3 } as const;

/**
 * A run and everything needed to continue it: `a.run`. `line` is the run and those it was forked from, as far up
 * as its records reach, each with the part of the journal that counts: above `after`, up to `up_to`. A run that was trimmed
 * at its fork point has a snapshot of that record, which belongs to its base.
 */
const ofOne = `WITH RECURSIVE line AS (
    SELECT r.key, r.base, r.floor, r.top, coalesce(r.base_seq, 0) AS after,
      LEAST($2::bigint, coalesce(r.top, ${highest})) AS up_to, 0 AS depth
    FROM @runs r WHERE r.run = a.run AND r.state < 64
  UNION ALL
    SELECT b.key, b.base, b.floor, b.top, coalesce(b.base_seq, 0), LEAST(l.up_to, l.after), l.depth + 1
    FROM line l JOIN @runs b ON b.key = l.base WHERE l.floor = 0 AND l.depth < 10000
), part AS (
  SELECT * FROM line WHERE after < up_to OR (floor > 0 AND floor = up_to)
), snapshot AS (
  SELECT r.depth, s.* FROM part r CROSS JOIN LATERAL (
    SELECT * FROM @snapshots s WHERE s.key = r.key AND ${isKept} AND s.covers <= r.up_to AND s.seq <= r.up_to
      AND (s.covers, s.seq) < ($3::bigint, $4::bigint) ORDER BY s.covers DESC, s.seq DESC LIMIT 1) s
  WHERE $5::int > 0 ORDER BY s.covers DESC, s.seq DESC, r.depth LIMIT 1
), records AS (
  SELECT r.depth, w.* FROM part r CROSS JOIN LATERAL (
    SELECT * FROM @rows w WHERE w.key = r.key
      AND w.seq > GREATEST(r.after, r.floor, coalesce((SELECT covers FROM snapshot), 0)) AND w.seq <= coalesce(
        (SELECT x.seq FROM @rows x WHERE x.key = r.key AND x.seq >= r.up_to ORDER BY x.seq LIMIT 1), ${highest})
    ORDER BY w.seq LIMIT $5::int) w
  WHERE $5::int > 0 ORDER BY r.depth DESC, w.seq LIMIT $5::int
), id AS (
  SELECT r.depth, i.* FROM part r JOIN @ids i ON i.key = r.key AND i.id = $6::text AND i.seq <= r.up_to
  ORDER BY r.depth LIMIT 1
)
SELECT ${kinds.run}, l.depth, ${runJson}, NULL::bigint, NULL::bigint, NULL::text, NULL::text, NULL::bigint, NULL::text
  FROM line l JOIN @runs r ON r.key = l.key ${runJoin}
UNION ALL SELECT ${kinds.snapshot}, s.depth, s.head, s.covers, s.seq, s.head_crc::text, s.body_crc::text, NULL, s.body FROM snapshot s
UNION ALL SELECT ${kinds.row}, w.depth, w.key::text, w.seq, w.first, w.token, w.parts, w.sum, w.text FROM records w
UNION ALL SELECT ${kinds.id}, i.depth, i.id, i.seq, i.at, NULL, NULL, i.crc, i.text FROM id i`;
/** The same of several runs, in one statement. */
const load = `SELECT a.at::int, x.* FROM unnest($1::text[]) WITH ORDINALITY AS a(run, at) CROSS JOIN LATERAL (${ofOne}) x`;

/** What a run is loaded as, and its rows, to remember. */
export interface LoadedRun {
  readonly stored: StoredRun;
  readonly known: KnownRun;
}

/** A run with everything needed to continue it; undefined if it does not exist. @throws HOLDFAST_CORRUPT */
export async function loadStoredRun(session: Session, { runId, ...query }: LoadQuery): Promise<LoadedRun | undefined> {
  return (await loadRuns(session, [runId], query))(runId);
}

/** Several of them, read in one statement. What it gives throws HOLDFAST_CORRUPT for a run that is, and for no other. */
export async function loadRuns(
  session: Session,
  runIds: readonly string[],
  query: Omit<LoadQuery, 'runId'>,
): Promise<(runId: string) => LoadedRun | undefined> {
  const { upTo = highest, before = { covers: highest, seq: highest }, limit, id = null } = query;
  const rows = await session.rows(load, [runIds, upTo, before.covers, before.seq, limit, id]);
  const ofRuns = new Map(runIds.map((runId): [string, Row[]] => [runId, []]));
  for (const [at, ...row] of rows) ofRuns.get(runIds[(at as number) - 1] as string)?.push(row);
  return (runId) => loadedRun(ofRuns.get(runId) ?? [], { upTo, limit });
}

function loadedRun(rows: readonly Row[], { upTo, limit }: Pick<Wanted, 'upTo' | 'limit'>): LoadedRun | undefined {
  const of = (kind: number): readonly Row[] => rows.filter((row) => row[0] === kind).toSorted(byDepth);
  const line = of(kinds.run).map((row) => readRun(row[2]));
  const [known] = line;
  if (known === undefined) return undefined;
  const nameAt = (row: Row): string => (line[row[1] as number] as KnownRun).row.run;
  const [snapshotRow] = of(kinds.snapshot);
  const [idRow] = of(kinds.id);
  const snapshot = snapshotRow && { runId: nameAt(snapshotRow), value: snapshotOf(snapshotRow) };
  const stored: StoredRun = {
    header: headerOf(known),
    lineage: line.slice(1).map(headerOf),
    snapshot,
    records: limit === 0 ? [] : recordsOf(line, of(kinds.row), { upTo, limit, covers: snapshot?.value.covers ?? 0 }),
    id: idRow && { runId: nameAt(idRow), value: idOf(idRow) },
  };
  return { stored, known };
}

function byDepth(a: Row, b: Row): number {
  return (a[1] as number) - (b[1] as number);
}

function snapshotOf([, , head, covers, seq, headCrc, bodyCrc, , body]: Row): StoredSnapshot {
  return readSnapshot([covers, seq, headCrc, bodyCrc, head, body]);
}

function idOf([, , id, seq, at, , , crc, text]: Row): StoredId {
  return readId([id, seq, at, crc, text]);
}

interface Wanted {
  readonly upTo: number;
  readonly limit: number;
  readonly covers: number;
}

/** The records after the snapshot, from each run of the line in turn, and none of them missing. */
function recordsOf(
  line: readonly KnownRun[],
  rows: readonly Row[],
  { upTo, limit, covers }: Wanted,
): readonly Located<StoredRecord>[] {
  const parts: { readonly known: KnownRun; readonly depth: number; readonly highest: number }[] = [];
  let highestSeq = upTo;
  for (const [depth, known] of line.entries()) {
    parts.push({ known, depth, highest: Math.min(highestSeq, lastSeq(known)) });
    highestSeq = Math.min(highestSeq, known.row.baseSeq ?? 0);
  }
  const found: Located<StoredRecord>[] = [];
  for (const { known, depth, highest: last } of parts.toReversed()) {
    const { run: runId } = known.row;
    const low = Math.max(firstSeq(known.row), covers + 1);
    const high = Math.min(last, low + limit - found.length - 1);
    if (high < low) continue;
    const packed = rows
      .filter((row) => row[1] === depth)
      .map(packedOf)
      .toSorted((a, b) => Number(a[1]) - Number(b[1]));
    for (const value of recordsIn(runId, packed, { low, high })) found.push({ runId, value });
  }
  return found;
}

/** In the order of `rowColumns`. */
function packedOf([, , key, seq, first, token, parts, sum, text]: Row): Row {
  return [key, seq, first, token, parts, Number(sum), text];
}
