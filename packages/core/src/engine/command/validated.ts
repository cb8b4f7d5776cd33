import type { Awaitable } from '../../async/awaitable.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { settledWithin } from '../../time/settled-within.ts';
import type { EngineParts } from '../parts.ts';

/**
 * The result of a validation. Schemas are user code and may never settle, so an asynchronous one has a deadline: whoever
 * starts or answers a run is told, and nothing was written.
 *
 * @throws HOLDFAST_TIMEOUT, and what the schema throws
 */
export async function validated<T>({ env, store }: EngineParts, what: string, checking: Awaitable<T>): Promise<T> {
  if (!(checking instanceof Promise)) return checking;
  const { validationMs: ms } = store.bounds;
  if (await settledWithin(checking, { clock: env.clock, ms })) return checking;
  // Nobody waits for it any more.
  checking.catch(() => undefined);
  throw holdfastError(
    'HOLDFAST_TIMEOUT',
    `${what} was not validated within ${ms} ms: a schema takes longer or never settles. Nothing was written. Mend the schema, or raise bounds.validationMs.`,
    { details: { validationMs: ms } },
  );
}
