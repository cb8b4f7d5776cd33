import type { Env } from '../../env/env.ts';

/** Notices within this time that the clock was set back or the machine slept. */
const longestNapMs = 60_000;
/** How long to wait after the store failed. */
const retryMs = 1_000;

type ClaimDue = () => Promise<{
  readonly nextDueAt: number | null;
  /** Whether runs of workers that have died were claimed too; after an outage they are not at once. */
  readonly tookOver: boolean;
}>;

/** A renewal that was in flight when its process died may make its lease end later than we think: we look twice. */
const looksForDead = 2;

/** Claims runs when they fall due: those that sleep, and those of a process that has died, when its lease has ended. */
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
    let looks = 0;
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
        const claimed = await claim();
        nextDueAt = claimed.nextDueAt ?? Number.POSITIVE_INFINITY;
        if (now < leaseEndsAt) continue;
        if (claimed.tookOver) looks += 1;
        leaseEndsAt = looks < looksForDead ? now + this.#leaseMs : Number.POSITIVE_INFINITY;
      } catch {
        nextDueAt = now + retryMs;
      }
    }
  }
}
