/** How to wait between tries. */
export interface BackoffOptions {
  /** The try that has failed: 1 for the first. */
  readonly attempt: number;
  /** The wait after the first try. */
  readonly backoffMs: number;
  /** How much longer each wait is than the one before. */
  readonly factor: number;
  /** A number of at least 0 and below 1. */
  readonly random: () => number;
}

/** The longest wait that grows out of a backoff: an hour. */
export const maxBackoffMs = 3_600_000;

/**
 * How long to wait before the next try: exponential, at most an hour (or the backoff itself, if that is longer), and
 * then between half of it and all of it, so that those who failed together do not come back together.
 */
export function backoffMs({ attempt, backoffMs, factor, random }: BackoffOptions): number {
  const cap = Math.max(maxBackoffMs, backoffMs);
  // 0 × Infinity is NaN: no backoff stays none, however often it is tried.
  const full = backoffMs === 0 ? 0 : Math.min(backoffMs * factor ** (attempt - 1), cap);
  return Math.round(full * (1 - random() / 2));
}
