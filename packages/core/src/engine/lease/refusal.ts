import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { reason } from '../../store/store-fault.ts';

/** Why a worker gives a run back untouched. */
interface Refusal {
  readonly code: string;
  readonly message: string;
}

const storeFailures: ReadonlySet<string> = new Set([
  'HOLDFAST_CONFLICT',
  'HOLDFAST_IN_DOUBT',
  'HOLDFAST_STORE_FAILED',
  'HOLDFAST_STORE_POISONED',
]);

/** Codes that say nothing about the run and this build. */
const passing: ReadonlySet<string> = new Set([...storeFailures, 'HOLDFAST_LEASE_LOST', 'HOLDFAST_STORE_CLOSED']);

/** Whether the store failed, not the request: it may succeed later. */
export function isStoreFailure(error: unknown): boolean {
  return HoldfastError.is(error) && storeFailures.has(error.code);
}

const unstorable: ReadonlySet<string> = new Set([
  'HOLDFAST_TOO_DEEP',
  'HOLDFAST_TOO_LARGE',
  'HOLDFAST_TOO_MANY',
  'HOLDFAST_UNSERIALIZABLE',
]);

/** Whether a commit was refused for what it contains, before anything was written: it would be refused again. */
export function isUnstorable(error: unknown): error is HoldfastError {
  return HoldfastError.is(error) && unstorable.has(error.code);
}

/**
 * Why this worker cannot continue a run: its version, missing parts, a key, corruption. Other workers may still
 * continue it. Undefined for a failure that has nothing to do with this build.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error === undefined) return undefined;
  if (!HoldfastError.is(error)) return { code: 'HOLDFAST_NODE_FAILED', message: storable(reason(error)) };
  return passing.has(error.code) ? undefined : { code: error.code, message: storable(error.message) };
}

/** Keeps this much of a message, in UTF-16 units: it may come from a user's migration. */
const longestMessage = 16_384;

/** The message as every store can keep it: no NUL, no half of a surrogate pair. */
function storable(message: string): string {
  return message.slice(0, longestMessage).replaceAll(/[\0\p{Cs}]/gu, '\u{fffd}');
}

/** Why an execution is aborted whose run this worker leases again. */
export function leasedAgain(runId: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_LEASE_LOST',
    `Run "${runId}" lost its lease to another worker. It is executed here again.`,
    {
      details: { runId },
    },
  );
}

/** Why a run could not be continued, whatever was thrown. */
export function failureOf(runId: string, thrown: unknown): HoldfastError {
  if (HoldfastError.is(thrown)) return thrown;
  const message = `Run "${runId}" could not be continued: ${String(thrown)}`;
  return holdfastError('HOLDFAST_LEASE_LOST', message, { cause: thrown });
}
