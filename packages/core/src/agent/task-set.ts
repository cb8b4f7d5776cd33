import type { Clock } from '../time/clock.ts';
import { settledWithin } from '../time/settled-within.ts';

/** The work in flight, by name. */
export class TaskSet {
  readonly #running = new Map<symbol, string>();
  readonly #controller = new AbortController();
  #whenEmpty: (() => void) | undefined;

  /** The names of what is in flight, in the order it began; the same name may be there twice. */
  get names(): readonly string[] {
    return [...this.#running.values()];
  }

  /** Runs one and keeps its name until it has settled. */
  async run<T>(name: string, fn: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const key = Symbol(name);
    this.#running.set(key, name);
    try {
      return await fn(this.#controller.signal);
    } finally {
      this.#running.delete(key);
      if (this.#running.size === 0) this.#whenEmpty?.();
    }
  }

  /** Resolves with what is still in flight: nothing as soon as all have settled, or the rest after so long. */
  async drain(clock: Clock, drainMs: number): Promise<readonly string[]> {
    if (this.#running.size > 0 && drainMs > 0) {
      const empty = new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
      await settledWithin(empty, { clock, ms: drainMs });
    }
    return this.names;
  }

  /** Aborts the signal that all of them were given. */
  abort(reason: Error): void {
    this.#controller.abort(reason);
  }
}
