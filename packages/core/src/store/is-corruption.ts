import { HoldfastError } from '../errors/holdfast-error.ts';

/** Whether an error means corrupt data in a store, or a path that leads outside it. */
export function isCorruption(error: unknown): error is HoldfastError {
  return HoldfastError.is(error, 'HOLDFAST_CORRUPT') || HoldfastError.is(error, 'HOLDFAST_STORE_UNSAFE');
}
