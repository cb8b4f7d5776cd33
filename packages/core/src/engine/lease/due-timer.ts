import type { Env } from '../../env/env.ts';

/** Notices within this time that the clock was set back or the machine slept. */
const longestNapMs = 60_000;
/** How long to wait after the store failed. */
const retryMs = 1_000;

type ClaimDue = () => Promise<{ readonly nextDueAt: number | null }>;

/** Claims runs when they fall due: those that sleep, and those of a process that has died, when its lease has ended. */
export class DueTimer {
  readonly #env: Env;
  #stop = new AbortController();
  #isClosed = false;

  constructor(env: Env) {
    this.#env = env;
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
    while (Number.isFinite(nextDueAt)) {
      try {
        await clock.sleep(Math.max(Math.min(nextDueAt - clock.now(), longestNapMs), 1), signal);
      } catch {
        return;
      }
      if (clock.now() >= nextDueAt) nextDueAt = await this.#nextAfter(claim);
    }
  }

  async #nextAfter(claim: ClaimDue): Promise<number> {
    try {
      return (await claim()).nextDueAt ?? Number.POSITIVE_INFINITY;
    } catch {
      return this.#env.clock.now() + retryMs;
    }
  }
}
