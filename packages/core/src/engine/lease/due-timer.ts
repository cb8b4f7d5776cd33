import type { Env } from '../../env/env.ts';

/** Notices within this time that the clock was set back or the machine slept. */
const longestNapMs = 60_000;
/** How long to wait after the store failed. */
const retryMs = 1_000;

type ClaimDue = () => Promise<{ readonly nextDueAt: number | null }>;

/** Claims runs when they become due: sleeping runs, and the runs of a dead process once its lease has ended. */
export class DueTimer {
  readonly #env: Env;
  readonly #leaseMs: number;
  #stop = new AbortController();
  #isClosed = false;

  constructor(env: Env, leaseMs: number) {
    this.#env = env;
    this.#leaseMs = leaseMs;
  }

  /** Starts with the next due time, and replaces an earlier start. */
  start(nextDueAt: number | null, claim: ClaimDue): void {
    this.#stop.abort();
    if (this.#isClosed) return;
    this.#stop = new AbortController();
    void this.#run(nextDueAt, claim, this.#stop.signal);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop.abort();
  }

  async #run(firstDueAt: number | null, claim: ClaimDue, signal: AbortSignal): Promise<void> {
    const { clock } = this.#env;
    let nextDueAt = firstDueAt ?? Number.POSITIVE_INFINITY;
    let leaseEndsAt = clock.now() + this.#leaseMs;
    for (;;) {
      const next = Math.min(nextDueAt, leaseEndsAt);
      if (!Number.isFinite(next)) return;
      try {
        await clock.sleep(Math.max(Math.min(next - clock.now(), longestNapMs), 1), signal);
      } catch {
        return;
      }
      const now = clock.now();
      if (now < next) continue;
      try {
        nextDueAt = (await claim()).nextDueAt ?? Number.POSITIVE_INFINITY;
        if (now >= leaseEndsAt) leaseEndsAt = Number.POSITIVE_INFINITY;
      } catch {
        nextDueAt = now + retryMs;
      }
    }
  }
}
