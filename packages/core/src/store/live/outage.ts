import type { Env } from '../../env/env.ts';

/**
 * Notices when the store stopped answering for a while. Afterwards workers look dead that have only not reconnected yet.
 * A few errors among answers are no outage.
 */
export class Outage {
  readonly #env: Pick<Env, 'monotonicMs'>;
  /** An outage is at least this long. */
  readonly #leastMs: number;
  /** Nothing is known of the time before the first answer: a process may be started in the middle of an outage. */
  #answeredMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #endedMs = Number.NEGATIVE_INFINITY;

  constructor(env: Pick<Env, 'monotonicMs'>, leastMs: number) {
    this.#env = env;
    this.#leastMs = leastMs;
  }

  failed(): void {
    this.#hasFailed = true;
  }

  /** An answer to what was asked then. It may have been long on its way: that the store answers now is not known by it. */
  answered(askedMs: number): void {
    if (this.#hasFailed) this.#recovered();
    this.#answeredMs = Math.max(this.#answeredMs, askedMs);
  }

  #recovered(): void {
    const nowMs = this.#env.monotonicMs();
    if (nowMs - this.#answeredMs >= this.#leastMs) this.#endedMs = nowMs;
    this.#hasFailed = false;
  }

  /** Whether one is on, or ended less than this long ago. */
  isWithin(ms: number): boolean {
    const nowMs = this.#env.monotonicMs();
    if (this.#hasFailed && nowMs - this.#answeredMs >= this.#leastMs) return true;
    return nowMs - this.#endedMs < ms;
  }
}
