import type { RunDetailsJson } from '@holdfast/server/client';

/** Who has the run, and whether that worker still answers. */
export interface LeaseState {
  readonly worker: string;
  readonly fence: number;
  /** The store knows that the worker has died. */
  readonly isDead: boolean;
  /** How long until the lease ends, unless it is renewed. Undefined once the worker is known to be dead. */
  readonly leftMs: number | undefined;
  /** How long it had left when the server was last asked. */
  readonly leftThenMs: number | undefined;
  /** The longest that the lease was seen to last. */
  readonly lengthMs: number | undefined;
}

/** A lease with less than this share of its length was not renewed when it should have been: a worker renews at a third. */
const lateShare = 0.5;

/** When a lease is looked at. */
interface LeaseTimes {
  readonly now: number;
  /** When the server was last asked. */
  readonly lookedAt: number;
  /** The longest that was left while the page was open. */
  readonly lengthMs?: number | undefined;
}

/** The lease of a run, if a worker has it. */
export function leaseOf(
  { lease }: Pick<RunDetailsJson, 'lease'>,
  { now, lookedAt, lengthMs }: LeaseTimes,
): LeaseState | undefined {
  if (lease === null) return undefined;
  const { worker, fence, until } = lease;
  const leftAt = (time: number): number | undefined =>
    until === null ? undefined : Math.max(0, Date.parse(until) - time);
  return { worker, fence, isDead: until === null, leftMs: leftAt(now), leftThenMs: leftAt(lookedAt), lengthMs };
}

/**
 * Whether a worker that may still live has missed the time at which it renews its lease. What counts is what the server said
 * last: a lease that has run down on this page alone may have been renewed since.
 */
export function isLate({ leftThenMs, lengthMs, isDead }: LeaseState): boolean {
  return !isDead && leftThenMs !== undefined && lengthMs !== undefined && leftThenMs < lengthMs * lateShare;
}
