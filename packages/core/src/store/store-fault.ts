import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';

/** How a driver's call failed. */
export interface Fault {
  /** `none`: the call had no effect. `unknown`: it may have had one; the checked store finds out. */
  readonly effect: 'none' | 'unknown';
  /** The driver can no longer be trusted, for example after a failed sync, and must be reopened. */
  readonly poisoned?: boolean | undefined;
  /** A retry may succeed, for example after a lost connection or a server restart. */
  readonly transient?: boolean | undefined;
  /** What is wrong, as a word for programs, and what a person can do about it. */
  readonly problem?: string | undefined;
  readonly advice?: string | undefined;
  readonly cause: unknown;
}

/**
 * A driver throws this to describe a failure. In a commit, any other error counts as `{ effect: 'unknown' }`.
 */
export function storeFault(fault: Fault): HoldfastError {
  const { effect, poisoned = false, transient = false, problem, advice, cause } = fault;
  const next = advice === undefined ? '' : ` ${advice}`;
  const told = { ...(problem !== undefined && { problem }), ...(advice !== undefined && { advice }) };
  return holdfastError('HOLDFAST_STORE_FAILED', `The store failed: ${reason(cause)}.${next}`, {
    details: { effect, poisoned, transient, ...told },
    cause,
  });
}

/** The fault that a thrown error describes. */
export function faultOf(error: unknown): Fault {
  if (!HoldfastError.is(error, 'HOLDFAST_STORE_FAILED')) return { effect: 'unknown', cause: error };
  return {
    effect: error.details.effect === 'none' ? 'none' : 'unknown',
    poisoned: error.details.poisoned === true,
    transient: error.details.transient === true,
    problem: error.details.problem,
    advice: error.details.advice,
    cause: error.cause,
  };
}

/** The message of a thrown value. */
export function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
