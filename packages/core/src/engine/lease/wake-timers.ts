import type { Env } from '../../env/env.ts';

/** A clock that goes back, or sleeps, is looked at again after this. */
const longestNapMs = 60_000;

/** The runs of this process that sleep: an id and a time each, and one timer for all of them. */
export class WakeTimers {
  readonly #env: Env;
  readonly #wake: (runId: string) => Promise<unknown>;
  readonly #wakeAt = new Map<string, number>();
  #nap: AbortController | undefined;

  constructor(env: Env, wake: (runId: string) => Promise<unknown>) {
    this.#env = env;
    this.#wake = wake;
  }

  /** Wakes the run at that time, unless it is told another. */
  add(runId: string, wakeAt: number): void {
    this.#wakeAt.set(runId, wakeAt);
    this.#nap?.abort();
    void this.#sleep();
  }

  close(): void {
    this.#wakeAt.clear();
    this.#nap?.abort();
  }

  async #sleep(): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    while (this.#wakeAt.size > 0 && !nap.signal.aborted) {
      let first = Number.POSITIVE_INFINITY;
      for (const wakeAt of this.#wakeAt.values()) if (wakeAt < first) first = wakeAt;
      try {
        await this.#env.clock.sleep(Math.min(first - this.#env.clock.now(), longestNapMs), nap.signal);
      } catch {
        return;
      }
      await this.#wakeDue();
    }
  }

  async #wakeDue(): Promise<void> {
    const now = this.#env.clock.now();
    const due = [...this.#wakeAt].filter(([, wakeAt]) => wakeAt <= now).map(([runId]) => runId);
    for (const runId of due) this.#wakeAt.delete(runId);
    // Whoever cannot be woken here is woken elsewhere: its wake time is in the store.
    await Promise.all(due.map((runId) => this.#wake(runId).catch(() => undefined)));
  }
}
