import type { Clock, SleepOptions } from '../time/clock.ts';

/**
 * The store's time, estimated from its answers. Every decision uses the store's time, so a process whose own clock is a
 * day off does no harm.
 */
export class StoreClock implements Clock {
  readonly #own: Clock;
  #offsetMs = 0;

  constructor(own: Clock) {
    this.#own = own;
  }

  now(): number {
    return this.#own.now() + this.#offsetMs;
  }

  sleep(ms: number, signal?: AbortSignal, options?: SleepOptions): Promise<void> {
    return this.#own.sleep(ms, signal, options);
  }

  /** The store's time was `now` at some moment since `askedAt`, which is by our own clock. */
  heard(now: number, askedAt: number): void {
    const most = now - askedAt;
    const least = Math.min(now - this.#own.now(), most);
    // Keep an offset that still fits: the clock must not jitter with the round-trip time. A new offset is never ahead of
    // the store: what is written as due now is due there at once.
    if (this.#offsetMs > most || this.#offsetMs < least) this.#offsetMs = least;
  }
}
