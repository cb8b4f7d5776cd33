import { HoldfastError } from '../errors/holdfast-error.ts';
import type { RunsQuery } from './contract.ts';

/** Tells of a damaged run whoever asked to be told; for anybody else the query fails with it. */
export function tellDamage({ onDamage }: Pick<RunsQuery, 'onDamage'>, error: unknown): undefined {
  if (onDamage === undefined || !HoldfastError.is(error, 'HOLDFAST_DAMAGED')) throw error;
  onDamage(error);
}
