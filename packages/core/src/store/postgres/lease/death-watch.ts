import type { Env } from '../../../env/env.ts';
import { nodeEnv } from '../../../env/node-env.ts';
import type { Deaths } from './deaths.ts';

/** How often to look: all workers together as often, however many there are. */
const shortestMs = 250;
const perWorkerMs = 150;
/** How long to wait for the second look. */
const againMs = 410;
/** A worker that has not asked for runs for so long does not look for them either. */
const idleMs = 10_000;

interface DeathWatchOptions {
  readonly deaths: Deaths;
  readonly env: Env;
  /** Called when a worker has died. */
  readonly found: () => void;
}

/** Looks for workers that have died, as long as this process asks for runs. */
export class DeathWatch {
  readonly #options: DeathWatchOptions;
  readonly #closed = new AbortController();
  #askedMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(options: DeathWatchOptions) {
    this.#options = options;
  }

  /** Someone asks for runs, and would take over those of the dead. */
  asked(): void {
    this.#askedMs = this.#options.env.monotonicMs();
    if (!this.#closed.signal.aborted) this.#looking ??= this.#look();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { deaths, env, found } = this.#options;
    const { signal } = this.#closed;
    let waitMs = shortestMs;
    while (env.monotonicMs() - this.#askedMs < idleMs) {
      // With jitter, so that not all of them look at the same time.
      await nodeEnv.clock.sleep(waitMs * (0.9 + 0.2 * env.random()), signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const { living, hasSuspects, dead } = await deaths.look();
        if (dead.length > 0) found();
        waitMs = hasSuspects ? againMs : Math.max(shortestMs, perWorkerMs * living);
      } catch {
        // Whoever asks for runs is told that the store cannot be reached.
        waitMs = againMs;
      }
    }
    this.#looking = undefined;
  }
}
