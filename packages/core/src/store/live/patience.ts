import type { Env } from '../../env/env.ts';
import { backoffMs } from '../../time/backoff.ts';

const firstWaitMs = 20;
const longestWaitMs = 500;

/** How long one operation retries a transient fault: with backoff, and never longer than its lease. */
export class Patience {
  readonly #env: Env;
  readonly #untilMs: number;
  readonly #signal: AbortSignal;
  #attempt = 0;
  /** What is left by our own count: a clock may be set back, or stand still. */
  #leftMs: number;

  constructor(env: Env, ms: number, signal: AbortSignal) {
    this.#env = env;
    this.#untilMs = env.clock.now() + ms;
    this.#leftMs = ms;
    this.#signal = signal;
  }

  /**
   * What is left of it, for one of several operations that retry side by side: what one of them waits does not count for the
   * others.
   */
  branch(): Patience {
    return new Patience(this.#env, this.leftMs, this.#signal);
  }

  get leftMs(): number {
    return Math.max(0, Math.min(this.#leftMs, this.#untilMs - this.#env.clock.now()));
  }

  /** Waits before the next attempt. False if there is none. */
  async waitsAgain(): Promise<boolean> {
    this.#attempt += 1;
    const waitMs = backoffMs({ attempt: this.#attempt, backoffMs: firstWaitMs, factor: 2, random: this.#env.random });
    const nextMs = Math.min(waitMs, longestWaitMs);
    if (nextMs >= this.leftMs || this.#signal.aborted) return false;
    this.#leftMs -= nextMs;
    try {
      await this.#env.clock.sleep(nextMs, this.#signal);
      return true;
    } catch {
      return false;
    }
  }
}
