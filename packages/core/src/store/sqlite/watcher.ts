import type { Env } from '../../env/env.ts';

/** How late a hint at another process's commit may come. */
const pollMs = 50;

type Listener = (runId: string | undefined) => void;

interface WatcherOptions {
  readonly env: Env;
  /** Another number when somebody else has committed since. */
  readonly version: () => unknown;
}

const soon = Promise.resolve();

/** Tells listeners of commits: of this connection's at once, of others' by asking now and then while anybody listens. */
export class Watcher {
  readonly #env: Env;
  readonly #version: () => unknown;
  readonly #listeners = new Set<{ readonly tell: Listener }>();
  #polling: AbortController | undefined;

  constructor({ env, version }: WatcherOptions) {
    this.#env = env;
    this.#version = version;
  }

  add(tell: Listener): () => void {
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

  /** Whether anybody is to be told. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** In a microtask, so that a listener that throws never fails a commit that was made. */
  tell(runs: readonly (string | undefined)[]): void {
    if (!this.isWatched) return;
    // What `queueMicrotask` makes for each takes as much room as the commit itself.
    void soon.then(() => {
      for (const runId of runs) for (const listener of this.#listeners) listener.tell(runId);
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
        await this.#env.clock.sleep(pollMs, signal);
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
