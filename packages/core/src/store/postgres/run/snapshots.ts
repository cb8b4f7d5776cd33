import type { StoredSnapshot } from '../../contract/commit.ts';
import type { SnapshotQuery } from '../../contract/read.ts';
import type { Row, Session } from '../connection/database.ts';
import type { RunRow } from './run-row.ts';

const highest = Number.MAX_SAFE_INTEGER;

/** What is trimmed may still wait to be dropped: below the floor, or past what a hidden run keeps. Of `snapshots s`. */
export const isKept: string = `(s.covers >= r.floor OR s.seq >= r.floor)
  AND s.covers <= coalesce(r.top, ${highest}) AND s.seq <= coalesce(r.top, ${highest})`;

const list = `SELECT s.covers, s.seq, s.head_crc, s.body_crc, s.head, CASE WHEN $6 THEN s.body END
  FROM @runs r JOIN @snapshots s ON s.key = r.key
  WHERE r.run = $1 AND ${isKept} AND s.covers <= $2::bigint AND (s.covers, s.seq) < ($3::bigint, $4::bigint)
  ORDER BY s.covers DESC, s.seq DESC LIMIT $5`;
const atSeq = `SELECT 1 FROM @runs r JOIN @snapshots s ON s.key = r.key
  WHERE r.key = $1::bigint AND ${isKept} AND s.covers <= $2::bigint AND s.seq = $2::bigint LIMIT 1`;

/** The snapshots that a query finds, newest first. */
export async function readSnapshots(session: Session, query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
  const { runId, covers = highest, before = { covers: highest, seq: highest }, limit, bodies } = query;
  const rows = await session.rows(list, [runId, covers, before.covers, before.seq, limit, bodies]);
  return rows.map(readSnapshot);
}

/** A snapshot from its columns. */
export function readSnapshot([covers, seq, headCrc, bodyCrc, head, body]: Row): StoredSnapshot {
  return {
    covers: Number(covers),
    seq: Number(seq),
    head: { text: head as string, crc: Number(headCrc) },
    body: body === null ? undefined : { text: body as string, crc: Number(bodyCrc) },
  };
}

/** Whether a snapshot stands at this seq, however much it covers. */
export async function standsAt(session: Session, { key }: RunRow, seq: number): Promise<boolean> {
  return (await session.rows(atSeq, [key, seq])).length > 0;
}
