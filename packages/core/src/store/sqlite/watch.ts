import type { Env } from '../../env/env.ts';
import { nodeEnv } from '../../env/node-env.ts';
import type { Clock } from '../../time/clock.ts';
import type { Hint, HintListener } from '../contract/driver.ts';

/** How late a hint at another process's commit may come. */
const pollMs = 50;

interface WatcherOptions {
  readonly env: Env;
  /** Something else when another connection has written what others may be waiting for. */
  readonly version: () => unknown;
}

const soon = Promise.resolve();

/** Tells listeners of commits: of this connection's at once, of others' by asking now and then while anyone listens. */
export class Watcher {
  readonly #clock: Clock;
  readonly #version: () => unknown;
  readonly #listeners = new Set<{ readonly tell: HintListener }>();
  #polling: AbortController | undefined;

  constructor({ env, version }: WatcherOptions) {
    this.#clock = pollClockOf(env);
    this.#version = version;
  }

  add(tell: HintListener): () => void {
    const listener = { tell };
    this.#listeners.add(listener);
    if (this.#polling === undefined) {
      this.#polling = new AbortController();
      void this.#poll(this.#polling.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Whether anyone is to be told. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** In a microtask, so that a listener that throws never fails a commit that was made. */
  tell(hints: readonly (Hint | undefined)[]): void {
    // What `queueMicrotask` makes for each takes as much room as the commit itself.
    void soon.then(() => {
      for (const hint of hints) for (const listener of this.#listeners) listener.tell(hint);
    });
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #stop(): void {
    this.#polling?.abort();
    this.#polling = undefined;
  }

  async #poll(signal: AbortSignal): Promise<void> {
    let known = this.#ask();
    while (!signal.aborted) {
      try {
        await this.#clock.sleep(pollMs, signal);
      } catch {
        return;
      }
      const version = this.#ask();
      if (version !== known) this.tell([undefined]);
      known = version;
    }
  }

  /** A hint that cannot be had is left out: nobody relies on it. */
  #ask(): unknown {
    try {
      return this.#version();
    } catch {
      return undefined;
    }
  }
}

/**
 * Other processes write in real time, whatever clock the engine was given: an hour of a virtual clock would be 72,000 looks.
 * Where all time is simulated, so is this.
 */
function pollClockOf({ clock, monotonicMs }: Env): Clock {
  return monotonicMs === nodeEnv.monotonicMs ? nodeEnv.clock : clock;
}
