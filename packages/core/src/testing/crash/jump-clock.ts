import type { Clock } from '../../time/clock.ts';

/** Real time that can be moved on: a run that sleeps for a week is woken at once, and running code sees time as ever. */
export class JumpClock implements Clock {
  readonly #sleeps = new Set<() => void>();
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Moves time on to this moment. */
  jumpTo(ms: number): void {
    this.#aheadMs += Math.max(0, ms - this.now());
    for (const look of this.#sleeps) look();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const dueMs = this.now() + ms;
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = (): void => {
        clearTimeout(timer);
        this.#sleeps.delete(look);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        stop();
        reject(signal?.reason as Error);
      };
      const look = (): void => {
        clearTimeout(timer);
        const leftMs = dueMs - this.now();
        if (leftMs > 0) {
          timer = setTimeout(look, Math.min(leftMs, longestTimerMs));
          return;
        }
        stop();
        resolve();
      };
      if (signal?.aborted === true) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      this.#sleeps.add(look);
      look();
    });
  }
}

/** Longer timers fire at once. */
const longestTimerMs = 2_000_000_000;
