import type { Env } from '../../../env/env.ts';
import { type HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import type { BatchResult, Transaction } from '../../contract/commit.ts';
import type { Database, Session } from '../connection/database.ts';
import { isRefusedByServer } from '../errors.ts';
import { HeadCache } from '../run/head-cache.ts';
import type { KnownRun } from '../run/run-row.ts';
import { CommitGroup } from './commit-group.ts';
import { lentClient } from './lent-client.ts';

/** The first savepoint shows that the transaction is still the one that was begun. */
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED; SAVEPOINT holdfast_work';
/** What the work left for the end, such as a deferred constraint, is checked while it can still fail the work. */
const endWork = 'RELEASE SAVEPOINT holdfast_work; SET CONSTRAINTS ALL IMMEDIATE; SAVEPOINT holdfast_commit';
const takeBack = 'ROLLBACK TO SAVEPOINT holdfast_commit';
/** Deadlocks and lost locks, most of which another try does not meet. */
const mostAttempts = 5;

interface TransactOptions {
  readonly database: Database;
  readonly env: Env;
  /** Called with the run after the COMMIT. */
  readonly written: (runs: readonly KnownRun[]) => void;
}

/** Rolls the work back. */
class Refused extends Error {
  readonly result: BatchResult;

  constructor(result: BatchResult) {
    super('The batch was refused.');
    this.result = result;
  }
}

/** Does the user's work and commits its batch, which is the last statement before the COMMIT: the run is locked only for that. */
export async function transact(
  transaction: Transaction,
  { database, env, written }: TransactOptions,
): Promise<BatchResult> {
  try {
    const run = await database.transaction(async (session, client) => {
      const lent = lentClient(client);
      let result: unknown;
      try {
        result = await transaction.run(lent.client);
      } finally {
        lent.end();
      }
      await session.rows(endWork, []).catch((error: unknown) => failWork(transaction, error));
      return commitResult(session, transaction, { result, env });
    }, begin);
    written([run]);
    return { ok: true };
  } catch (error) {
    if (error instanceof Refused) return error.result;
    throw error;
  }
}

/** A run that has moved is read again, and the batch made again of the same result. */
async function commitResult(
  session: Session,
  transaction: Transaction,
  { result, env }: { readonly result: unknown; readonly env: Env },
): Promise<KnownRun> {
  for (let failures = 0; ; ) {
    const batch = transaction.batchOf(result);
    // Nothing that this transaction may still take back is remembered.
    const group = new CommitGroup([batch], { session, cache: new HeadCache(), env });
    try {
      const [done] = await group.commit();
      if (done?.ok === true) return group.written[0] as KnownRun;
      if (!(await transaction.again((done as BatchResult & { readonly ok: false }).why)))
        throw new Refused(done as BatchResult);
    } catch (error) {
      failures += 1;
      if (failures === mostAttempts || !isRefusedByServer(error)) throw error;
      await session.rows(takeBack, []);
    }
  }
}

/** The server refused the end of the work: that is the work's own failure. */
function failWork(transaction: Transaction, error: unknown): never {
  if (!isRefusedByServer(error)) throw error;
  const { cause } = error as HoldfastError;
  const code = (cause as { readonly code?: string }).code;
  if (code === undefined || !['3B001', '25P01', '25P02'].includes(code)) return transaction.fail(cause);
  return transaction.fail(
    holdfastError(
      'HOLDFAST_INVALID_OPTION',
      code === '25P02'
        ? 'A statement of the transaction failed, and its error was caught. Postgres accepts nothing more in such a transaction: let the error through, or use a savepoint of your own.'
        : 'The body of transaction(fn) ended the transaction itself. Leave BEGIN, COMMIT and ROLLBACK to Holdfast.',
      { details: { option: 'transaction' }, cause },
    ),
  );
}
