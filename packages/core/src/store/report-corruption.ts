import { HoldfastError } from '../errors/holdfast-error.ts';
import type { RunsQuery } from './contract.ts';

/** Tells of a corrupt run whoever asked to be told; for anybody else the query fails with it. */
export function reportCorruption({ onCorrupt }: Pick<RunsQuery, 'onCorrupt'>, error: unknown): undefined {
  if (onCorrupt === undefined || !isCorruption(error)) throw error;
  onCorrupt(error);
}

/** Whether something of a run is not what was written, or leads to what was never ours. */
export function isCorruption(error: unknown): error is HoldfastError {
  return HoldfastError.is(error, 'HOLDFAST_CORRUPT') || HoldfastError.is(error, 'HOLDFAST_STORE_UNSAFE');
}
