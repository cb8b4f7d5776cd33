import type { Awaitable } from '../async/awaitable.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { Clock } from '../time/clock.ts';
import { settledWithin } from '../time/settled-within.ts';

/** How long a validation may take. */
interface Deadline {
  readonly clock: Clock;
  readonly validationMs: number;
}

/**
 * The result of a validation. Schemas are user code and may never settle, so an asynchronous one has a deadline: whoever
 * starts or answers a run is told, and nothing was written. A worker refuses what it could not validate in time.
 *
 * @throws HOLDFAST_TIMEOUT, and what the schema throws
 */
export async function validated<T>(
  { clock, validationMs: ms }: Deadline,
  what: string,
  checking: Awaitable<T>,
): Promise<T> {
  if (!(checking instanceof Promise)) return checking;
  if (await settledWithin(checking, { clock, ms })) return checking;
  // Nobody waits for it any more.
  checking.catch(() => undefined);
  throw holdfastError(
    'HOLDFAST_TIMEOUT',
    `${what} was not validated within ${ms} ms: a schema takes longer or never settles. Nothing was written. Fix the schema, or raise bounds.validationMs.`,
    { details: { validationMs: ms } },
  );
}
