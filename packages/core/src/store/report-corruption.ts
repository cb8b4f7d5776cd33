import { HoldfastError } from '../errors/holdfast-error.ts';
import type { RunsQuery } from './contract.ts';

/** Tells of a damaged run whoever asked to be told; for anybody else the query fails with it. */
export function tellDamage({ onDamage }: Pick<RunsQuery, 'onDamage'>, error: unknown): undefined {
  if (onDamage === undefined || !isDamage(error)) throw error;
  onDamage(error);
}

/** Whether something of a run is not what was written, or leads to what was never ours. */
export function isDamage(error: unknown): error is HoldfastError {
  return HoldfastError.is(error, 'HOLDFAST_DAMAGED') || HoldfastError.is(error, 'HOLDFAST_STORE_UNSAFE');
}
