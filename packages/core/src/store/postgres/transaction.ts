import { holdfastError } from '../../errors/holdfast-error.ts';
import { markTransaction } from '../../graph/body/transaction-step.ts';
import type { StepFn, StepInfo } from '../../graph/step-fn.ts';

/** The rows that a statement returned, and how many it changed. */
export interface TransactionResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number | null;
}

/** The part of a client that everyone needs. For the rest, annotate the parameter with `PoolClient` of the package `pg`. */
export interface TransactionClient {
  /** Executes a statement with its values, such as `$1`. */
  query(text: string, values?: unknown[]): Promise<TransactionResult>;
}

/** A method, so that its client may be annotated as what it really is: a `PoolClient`. */
interface Body<T> {
  of(client: TransactionClient, info: StepInfo): T | Promise<T>;
}

/**
 * The body of a step that changes your own tables in the same database: what it writes and the step's result commit in one
 * transaction, so that it happens exactly once, whatever crashes. It needs no idempotency key.
 *
 * The transaction is READ COMMITTED. Await every query, and leave BEGIN and COMMIT to Holdfast. What calls a service does not
 * belong here: if the connection is lost, `fn` is called again.
 *
 * @throws HOLDFAST_INVALID_OPTION in the step when the store is not on Postgres, or `fn` ended the transaction
 *
 * @example
 * ```ts
 * const order = workflow('order', { input: z.object({ id: z.string() }) }, ({ id }, { step }) =>
 *   step(
 *     'charge',
 *     transaction(async (client) => {
 *       const { rowCount } = await client.query('INSERT INTO charges (id, cents) VALUES ($1, 100)', [id]);
 *       return rowCount;
 *     }),
 *   ),
 * );
 * ```
 */
export function transaction<T>(fn: Body<T>['of']): StepFn<T> {
  return markTransaction((given, info) => {
    const client = given as TransactionClient;
    if (typeof client?.query !== 'function') throw otherStore();
    return fn(client, info);
  });
}

function otherStore(): Error {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    "The store is not on Postgres, so transaction() of holdfast/postgres has no client for it. Import it from the store's own subpath.",
    { details: { option: 'transaction' } },
  );
}
