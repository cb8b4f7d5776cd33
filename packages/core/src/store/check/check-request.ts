import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { checkRunId } from '../../value/id.ts';
import type { SnapshotKey } from '../contract/commit.ts';
import type { ClaimRequest } from '../contract/lease.ts';
import type { TrimPlan } from '../contract/retention.ts';
import { maxPage } from './check-query.ts';
import type { KnownId } from './known-id.ts';

/** A retention plan whose snapshot and whose ids are not encoded yet. */
export interface Trim extends Omit<TrimPlan, 'snapshot' | 'ids'> {
  /** The snapshot at the floor, if none exists there; or, with its key, one to store again. */
  readonly snapshot?:
    | { readonly head: unknown; readonly body: unknown; readonly key?: SnapshotKey | undefined }
    | undefined;
  readonly ids?: readonly KnownId[] | undefined;
}

/** Validates a claim. @throws HOLDFAST_INVALID_ID, HOLDFAST_STORE_CONTRACT */
export function checkClaim(request: ClaimRequest): void {
  checkRunId(request.worker);
  if (request.type === 'one') checkRunId(request.runId);
  if (request.type === 'release') request.runIds?.forEach(checkRunId);
  if (request.type === 'due' && !isBetween(request.limit, 1, maxPage)) throw wrong('A claim', `limit ${request.limit}`);
  if ('leaseMs' in request && !isBetween(request.leaseMs, 1, Number.MAX_SAFE_INTEGER)) {
    throw wrong('A claim', `a lease of ${request.leaseMs} ms`);
  }
  if (request.type === 'duty' && !isBetween(request.everyMs, 1, Number.MAX_SAFE_INTEGER)) {
    throw wrong('A duty', `an interval of ${request.everyMs} ms`);
  }
}

/** Validates a retention plan. @throws HOLDFAST_INVALID_ID, HOLDFAST_STORE_CONTRACT */
export function checkTrim({ runId, floor, snapshot, hide, remove, drop, ids, forgetIds }: Trim): void {
  checkRunId(runId);
  const highest = Number.MAX_SAFE_INTEGER;
  if (floor !== undefined && !isBetween(floor, 1, highest)) throw wrong('A trim', `the floor ${floor}`);
  if (hide !== undefined && !isBetween(hide.keepTo, 0, highest)) throw wrong('A trim', `keepTo ${hide.keepTo}`);
  if (snapshot !== undefined && floor === undefined && snapshot.key === undefined)
    throw wrong('A trim', 'a snapshot without a floor or a key');
  const others = [floor, hide, drop, ids, forgetIds].filter((part) => part !== undefined).length;
  if (remove === true && others > 0)
    throw wrong('A trim', 'other parts beside remove, which leaves nothing of the run');
}

function isBetween(value: number, lowest: number, highest: number): boolean {
  return Number.isSafeInteger(value) && value >= lowest && value <= highest;
}

function wrong(what: string, has: string): HoldfastError {
  return holdfastError('HOLDFAST_STORE_CONTRACT', `${what} cannot have ${has}.`);
}
