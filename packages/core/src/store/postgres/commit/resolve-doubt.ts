import type { Batch, DoubtResult } from '../../contract/commit.ts';
import { storeFault } from '../../store-fault.ts';
import { hasDropped } from '../../table/table-run.ts';
import { type Database, type Session, serverTime } from '../connection/database.ts';
import { tokenAt } from '../read-records.ts';
import { findRun } from '../run/find-runs.ts';
import { headerOf, type KnownRun, voidState } from '../run/run-row.ts';
import { keepVoid } from '../run/void-run.ts';
import { changed, writeRuns } from '../run/write-runs.ts';

/** How long the epoch of a run that does not exist is kept. */
const voidMs = 86_400_000;
const mostAttempts = 50;

const lockHead = 'SELECT h.key FROM @heads h JOIN @runs r ON r.key = h.key WHERE r.run = $1 FOR UPDATE OF h';
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
  const raised = epoch + 1;
  const isKept = await keepVoid(database, { runId, key: newKey(at), at, epoch: raised, before: epoch });
  await database.rows(sweepVoids, [at - voidMs]);
  return isKept ? raised : undefined;
}
