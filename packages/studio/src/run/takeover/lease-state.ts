import type { RunDetailsJson } from '@holdfast/server/client';

/** Who has the run, and whether that worker still answers. */
export interface LeaseState {
  readonly worker: string;
  readonly fence: number;
  /** The store knows that the worker has died. */
  readonly isDead: boolean;
  /** How long until the lease ends, unless it is renewed. Undefined once the worker is known to be dead. */
  readonly leftMs: number | undefined;
  /** The longest that the lease was seen to last. */
  readonly lengthMs: number | undefined;
}

/** A lease with less than this share of its length was not renewed when it should have been: a worker renews at a third. */
const lateShare = 0.5;

/** The lease of a run, if a worker has it. `lengthMs`: the longest that was left while the page was open. */
export function leaseOf(
  { lease }: Pick<RunDetailsJson, 'lease'>,
  now: number,
  lengthMs?: number,
): LeaseState | undefined {
  if (lease === null) return undefined;
  const { worker, fence, until } = lease;
  const leftMs = until === null ? undefined : Math.max(0, Date.parse(until) - now);
  return { worker, fence, isDead: until === null, leftMs, lengthMs };
}

/** Whether a worker that may still live has missed the time at which it renews its lease. */
export function isLate({ leftMs, lengthMs, isDead }: LeaseState): boolean {
  return !isDead && leftMs !== undefined && lengthMs !== undefined && leftMs < lengthMs * lateShare;
}
