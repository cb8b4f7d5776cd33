import type { Batch, DoubtResult } from '../../contract/commit.ts';
import { storeFault } from '../../store-fault.ts';
import { type Database, type Session, serverTime } from '../connection/database.ts';
import { tokenAt } from '../read-records.ts';
import { findRun } from '../run/find-runs.ts';
import { hasDropped, headerOf, type KnownRun, type RunRow, sumOfRow, voidState } from '../run/run-row.ts';
import { changed, writeRuns } from '../run/write-runs.ts';

/** How long the epoch of a run that does not exist is kept. */
const voidMs = 86_400_000;
const mostAttempts = 50;

const lockHead = 'SELECT h.key FROM @heads h JOIN @runs r ON r.key = h.key WHERE r.run = $1 FOR UPDATE OF h';
/** Waits for a creation in flight, which has the same entry of the unique index. */
const putVoid = `INSERT INTO @runs AS r (key, run, created_at, kind, graph, version, state, early, floor, trims, birth, sum)
  VALUES ($1::bigint, $2, $3::float8, 0, '', 0, ${voidState}, 0, 0, 0, $4::int, $5::int)
  ON CONFLICT (run) DO UPDATE SET key = EXCLUDED.key, created_at = EXCLUDED.created_at, birth = EXCLUDED.birth,
    sum = EXCLUDED.sum WHERE r.state = ${voidState} AND r.birth = $6::int RETURNING r.key`;
const sweepVoids = `DELETE FROM @runs WHERE state = ${voidState} AND created_at < $1::float8`;

interface DoubtOptions {
  readonly database: Database;
  readonly newKey: (createdAt: number) => string;
}

/** Tells whether the batch is there, and if not, makes sure that it never will be. */
export async function resolveDoubt(batch: Batch, { database, newKey }: DoubtOptions): Promise<DoubtResult> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const settled = await database.transaction((session) => settleRun(session, batch));
    if (settled !== undefined) return settled;
    if (batch.records.length === 0) return { outcome: 'unknown' };
    const epoch = await raiseVoid(database, batch.runId, newKey);
    if (epoch !== undefined) return { outcome: 'absent', found: undefined, epoch };
  }
  throw storeFault({ effect: 'none', transient: true, cause: new Error('the run keeps changing') });
}

/**
 * Settles a batch of a run that exists; undefined if it does not. The lock waits for whatever is in flight, and only a later
 * statement sees what that has written. The head is written in any case: that this commit succeeds means that the standbys
 * have what came before it.
 */
async function settleRun(session: Session, batch: Batch): Promise<DoubtResult | undefined> {
  const locked = await session.rows(lockHead, [batch.runId]);
  const known = locked.length === 0 ? undefined : (await findRun(session, batch.runId)).known;
  if (known === undefined) return undefined;
  const seq = batch.expect + 1;
  const isThere = batch.records.length > 0 && (await tokenAt(session, known, seq)) === batch.token;
  const isUnknown = batch.records.length === 0 || hasDropped(known, seq);
  const isAbsent = !isThere && !isUnknown;
  const after: KnownRun = changed(known, {}, isAbsent ? { epoch: known.head.epoch + 1 } : {});
  await writeRuns(session, [{ before: known, after }]);
  if (isThere) return { outcome: 'committed' };
  return isUnknown ? { outcome: 'unknown' } : { outcome: 'absent', found: headerOf(after), epoch: after.head.epoch };
}

/** Keeps a higher epoch for a run that does not exist; undefined if it does by now. */
async function raiseVoid(
  database: Database,
  runId: string,
  newKey: (at: number) => string,
): Promise<number | undefined> {
  const { known, epoch } = await findRun(database, runId);
  if (known !== undefined) return undefined;
  const [time] = await database.rows(`SELECT ${serverTime}`, [database.givenTime()]);
  const at = Number(time?.[0]);
  const row = voidRow(runId, { key: newKey(at), createdAt: at, birth: epoch + 1 });
  const written = await database.rows(putVoid, [row.key, runId, at, row.birth, sumOfRow(row), epoch]);
  await database.rows(sweepVoids, [at - voidMs]);
  return written.length === 0 ? undefined : row.birth;
}

function voidRow(run: string, { key, createdAt, birth }: Pick<RunRow, 'key' | 'createdAt' | 'birth'>): RunRow {
  const none = { base: null, baseRun: null, baseSeq: null, parent: null, wakeAt: null, worker: null };
  const empty = { kind: 0, graph: '', version: 0, state: voidState, early: 0, waits: null, tags: null };
  return { ...none, ...empty, key, run, createdAt, floor: 0, top: null, trims: 0, birth };
}
