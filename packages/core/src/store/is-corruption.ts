import { HoldfastError } from '../errors/holdfast-error.ts';

/** Whether an error means corrupt data in a store, or a path that leads outside it. */
export function isCorruption(error: unknown): error is HoldfastError {
  return HoldfastError.is(error, 'HOLDFAST_CORRUPT') || HoldfastError.is(error, 'HOLDFAST_STORE_UNSAFE');
}

/** Whether an error means data in a store that no key and no newer version can read. */
export function isMalformed(error: unknown): error is HoldfastError {
  if (isCorruption(error)) return true;
  return HoldfastError.is(error, 'HOLDFAST_TOO_DEEP') || HoldfastError.is(error, 'HOLDFAST_TOO_LARGE');
}
