/** How long to wait between attempts. */
export interface BackoffOptions {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** The wait after the first attempt. */
  readonly backoffMs: number;
  /** The longest wait. Default: one hour, or `backoffMs` if that is longer. */
  readonly maxBackoffMs?: number | undefined;
  /** The factor by which each wait grows. */
  readonly factor: number;
  /** A number of at least 0 and below 1. */
  readonly random: () => number;
}

/** The default cap of a growing backoff: one hour. */
export const defaultMaxBackoffMs = 3_600_000;

/**
 * How long to wait before the next attempt: exponential up to the cap, with up to half of it taken off at random so that
 * simultaneous failures do not retry at the same time.
 */
export function backoffMs({ attempt, backoffMs, maxBackoffMs, factor, random }: BackoffOptions): number {
  const cap = maxBackoffMs ?? Math.max(defaultMaxBackoffMs, backoffMs);
  // 0 × Infinity would be NaN.
  const full = backoffMs === 0 ? 0 : Math.min(backoffMs * factor ** (attempt - 1), cap);
  return Math.round(full * (1 - random() / 2));
}
