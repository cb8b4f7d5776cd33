import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';

/** How a driver's call failed. */
export interface Fault {
  /** `none`: nothing of it happened. `unknown`: it may have happened; the checked store looks it up. */
  readonly effect: 'none' | 'unknown';
  /** The driver cannot be trusted any more (a failed sync, say) and must be opened anew. */
  readonly poisoned?: boolean | undefined;
  /** It may succeed if it is tried again: a lost connection, a server that restarts. */
  readonly transient?: boolean | undefined;
  readonly cause: unknown;
}

/**
 * What a driver throws when it knows more of a failure than that it happened. Any other error counts as
 * `{ effect: 'unknown' }` in a commit.
 */
export function storeFault(fault: Fault): HoldfastError {
  return holdfastError('HOLDFAST_STORE_FAILED', `The store failed: ${reason(fault.cause)}.`, {
    details: { effect: fault.effect, poisoned: fault.poisoned === true, transient: fault.transient === true },
    cause: fault.cause,
  });
}

/** Reads a failure back, whoever threw it. */
export function faultOf(error: unknown): Fault {
  if (!HoldfastError.is(error, 'HOLDFAST_STORE_FAILED')) return { effect: 'unknown', cause: error };
  return {
    effect: error.details['effect'] === 'none' ? 'none' : 'unknown',
    poisoned: error.details['poisoned'] === true,
    transient: error.details['transient'] === true,
    cause: error.cause,
  };
}

/** The text of whatever was thrown. */
export function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
