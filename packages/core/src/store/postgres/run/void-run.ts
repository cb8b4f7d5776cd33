import type { Session } from '../connection/database.ts';
import { type RunRow, sumOfRow, voidState } from './run-row.ts';

/** Waits for a creation in flight, which has the same entry of the unique index. */
const putVoid = `INSERT INTO @runs AS r (key, run, created_at, kind, graph, version, state, early, floor, trims, birth, sum)
  VALUES ($1::bigint, $2, $3::float8, 0, '', 0, ${voidState}, 0, 0, 0, $4::int, $5::int)
  ON CONFLICT (run) DO UPDATE SET key = EXCLUDED.key, created_at = EXCLUDED.created_at, birth = EXCLUDED.birth,
    sum = EXCLUDED.sum WHERE r.state = ${voidState} AND r.birth = $6::int RETURNING r.key`;

interface VoidRun {
  readonly runId: string;
  readonly key: string;
  readonly at: number;
  readonly epoch: number;
  /** The epoch that is kept now; 0 if none is. */
  readonly before: number;
}

/** Keeps the epoch of a run that does not exist. False if someone else has written meanwhile. */
export async function keepVoid(session: Session, { runId, key, at, epoch, before }: VoidRun): Promise<boolean> {
  const row = voidRow(runId, { key, createdAt: at, birth: epoch });
  const written = await session.rows(putVoid, [key, runId, at, epoch, sumOfRow(row), before]);
  return written.length > 0;
}

function voidRow(run: string, { key, createdAt, birth }: Pick<RunRow, 'key' | 'createdAt' | 'birth'>): RunRow {
  const none = { base: null, baseRun: null, baseSeq: null, parent: null, wakeAt: null, worker: null };
  const empty = { kind: 0, graph: '', version: 0, state: voidState, early: 0, waits: null, tags: null };
  return { ...none, ...empty, key, run, createdAt, floor: 0, top: null, trims: 0, birth };
}
