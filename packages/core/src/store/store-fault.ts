import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';

/** How a driver's call failed. */
export interface Fault {
  /** `none`: the call had no effect. `unknown`: it may have had one; the checked store finds out. */
  readonly effect: 'none' | 'unknown';
  /** The driver can no longer be trusted, for example after a failed sync, and must be reopened. */
  readonly poisoned?: boolean | undefined;
  /** A retry may succeed, for example after a lost connection or a server restart. */
  readonly transient?: boolean | undefined;
  readonly cause: unknown;
}

/**
 * A driver throws this to describe a failure. In a commit, any other error counts as `{ effect: 'unknown' }`.
 */
export function storeFault(fault: Fault): HoldfastError {
  return holdfastError('HOLDFAST_STORE_FAILED', `The store failed: ${reason(fault.cause)}.`, {
    details: { effect: fault.effect, poisoned: fault.poisoned === true, transient: fault.transient === true },
    cause: fault.cause,
  });
}

/** The fault that a thrown error describes. */
export function faultOf(error: unknown): Fault {
  if (!HoldfastError.is(error, 'HOLDFAST_STORE_FAILED')) return { effect: 'unknown', cause: error };
  return {
    effect: error.details.effect === 'none' ? 'none' : 'unknown',
    poisoned: error.details.poisoned === true,
    transient: error.details.transient === true,
    cause: error.cause,
  };
}

/** The message of a thrown value. */
export function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
