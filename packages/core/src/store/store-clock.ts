import type { Clock } from '../time/clock.ts';

/**
 * The store's time, as far as its answers tell. Every time that decides something is the store's: a process whose own
 * clock is a day off changes nothing.
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

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#own.sleep(ms, signal);
  }

  /** The store said that it was `now` at some moment since `askedAt`, by our own clock. */
  heard(now: number, askedAt: number): void {
    const most = now - askedAt;
    const least = now - this.#own.now();
    // An offset that fits stays: the clock must not go back and forth with the length of a round trip.
    this.#offsetMs = Math.max(Math.min(this.#offsetMs, most), Math.min(least, most));
  }
}
