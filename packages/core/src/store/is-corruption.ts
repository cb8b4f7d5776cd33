import { HoldfastError } from '../errors/holdfast-error.ts';

/** Whether something in a store is not what was written, or leads to what was never ours. */
export function isCorruption(error: unknown): error is HoldfastError {
  return HoldfastError.is(error, 'HOLDFAST_CORRUPT') || HoldfastError.is(error, 'HOLDFAST_STORE_UNSAFE');
}
