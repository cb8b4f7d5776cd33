import type { Env } from '../../../env/env.ts';
import { backoffMs } from '../../../time/backoff.ts';

/** Notices within this time that the clock was set back or the machine slept. */
const longestNapMs = 60_000;
const firstRetryMs = 200;
const longestRetryMs = 30_000;
/** After this many failures, workers have to wake the run: its wake time is in the store. */
const maxTries = 20;

interface Timer {
  readonly wakeAt: number;
  /** How often waking the run has failed. */
  readonly tries: number;
}

/** The wake times of the runs that this process wakes, with one timer for all. */
export class WakeTimers {
  readonly #env: Env;
  /** Resolves with the time to wake the run again, or null if it was woken or does not need it. */
  readonly #wake: (runId: string) => Promise<number | null>;
  readonly #timers = new Map<string, Timer>();
  #nap: AbortController | undefined;
  #isClosed = false;

  constructor(env: Env, wake: (runId: string) => Promise<number | null>) {
    this.#env = env;
    this.#wake = wake;
  }

  /** Wakes the run at that time, and replaces an earlier one. */
  set(runId: string, wakeAt: number): void {
    this.#set(runId, { wakeAt, tries: 0 });
  }

  /** Wakes the run now, and again later if the store fails. */
  wake(runId: string): Promise<void> {
    return this.#wakeOne(runId, 0);
  }

  /** Wakes the run again later, because the store failed. */
  retry(runId: string, tries = 0): void {
    if (tries >= maxTries) {
      this.#env.warn(`Run "${runId}" could not be woken in ${maxTries} attempts. A worker or recover() continues it.`);
      return;
    }
    const waitMs = backoffMs({ attempt: tries + 1, backoffMs: firstRetryMs, factor: 2, random: this.#env.random });
    this.#set(runId, { wakeAt: this.#env.clock.now() + Math.min(waitMs, longestRetryMs), tries: tries + 1 });
  }

  /** Forgets the run while it executes. It sets its next wake time afterwards. */
  clear(runId: string): void {
    this.#timers.delete(runId);
  }

  clearAll(): void {
    this.#timers.clear();
    this.#nap?.abort();
  }

  close(): void {
    this.#isClosed = true;
    this.clearAll();
  }

  #set(runId: string, timer: Timer): void {
    if (this.#isClosed) return;
    this.#timers.set(runId, timer);
    this.#nap?.abort();
    void this.#sleep();
  }

  async #sleep(): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    while (this.#timers.size > 0 && !nap.signal.aborted) {
      let first = Number.POSITIVE_INFINITY;
      for (const { wakeAt } of this.#timers.values()) if (wakeAt < first) first = wakeAt;
      try {
        await this.#env.clock.sleep(Math.min(first - this.#env.clock.now(), longestNapMs), nap.signal);
      } catch {
        return;
      }
      this.#wakeDue();
    }
  }

  #wakeDue(): void {
    const now = this.#env.clock.now();
    for (const [runId, timer] of this.#timers) {
      if (timer.wakeAt > now) continue;
      this.#timers.delete(runId);
      void this.#wakeOne(runId, timer.tries);
    }
  }

  async #wakeOne(runId: string, tries: number): Promise<void> {
    const next = await this.#wake(runId).catch(() => 0);
    if (next === null || this.#timers.has(runId)) return;
    // It is due, and could not be woken; or our estimate of the store's time was a little early.
    if (next <= this.#env.clock.now()) this.retry(runId, tries);
    else this.set(runId, next);
  }
}
