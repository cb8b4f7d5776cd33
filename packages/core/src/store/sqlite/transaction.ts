import { holdfastError } from '../../errors/holdfast-error.ts';
import { markTransaction } from '../../graph/body/transaction-step.ts';
import type { StepFn, StepInfo } from '../../graph/step-fn.ts';
import type { SqliteDatabase } from './connection/database.ts';

/**
 * The body of a step that changes your own tables: what it writes and the step's result commit in one transaction, so that
 * it happens exactly once, whatever crashes. The store must be on a database that you opened yourself.
 *
 * `fn` is synchronous: while a promise is pending, commits of other runs would join its transaction.
 *
 * @throws HOLDFAST_INVALID_OPTION in the step when the store has no database of yours or `fn` returns a promise
 *
 * @example
 * ```ts
 * const database = new DatabaseSync('app.db');
 * const order = workflow('order', { input: z.string() }, (id, { step }) =>
 *   step(
 *     'charge',
 *     transaction((db) => void db.prepare('INSERT INTO charges VALUES (?)').run(id)),
 *   ),
 * );
 * const engine = await openEngine(sqliteStore(database), { graphs: [order] });
 * ```
 */
export function transaction<T>(fn: (database: SqliteDatabase, info: StepInfo) => T): StepFn<T> {
  return markTransaction((given, info) => {
    const database = given as SqliteDatabase;
    if (typeof database?.prepare !== 'function') throw otherStore();
    return doneAtOnce(fn(database, info));
  });
}

function otherStore(): Error {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    "The store is not on SQLite, so transaction() of holdfast/sqlite has no database for it. Import it from the store's own subpath.",
    { details: { option: 'transaction' } },
  );
}

/** @throws HOLDFAST_INVALID_OPTION for a promise */
function doneAtOnce<T>(result: T): T {
  if (!(result instanceof Promise)) return result;
  result.catch(() => undefined);
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    'A transaction on SQLite must be synchronous: commits of other runs would join it while it waits. Pass a function that is not async.',
    { details: { option: 'transaction' } },
  );
}
