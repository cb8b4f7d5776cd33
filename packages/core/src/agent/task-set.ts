import type { Clock } from '../time/clock.ts';
import { settledWithin } from '../time/settled-within.ts';

/** The tasks in flight, by name. */
export class TaskSet {
  readonly #running = new Map<symbol, string>();
  readonly #controller = new AbortController();
  #whenEmpty: (() => void) | undefined;

  /** The names of the tasks in flight, in the order they started. A name may appear twice. */
  get names(): readonly string[] {
    return [...this.#running.values()];
  }

  /** Runs a task and keeps its name until it settles. */
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

  /** Waits until all tasks have settled, or until the time is over. Resolves with the names of the rest. */
  async drain(clock: Clock, drainMs: number): Promise<readonly string[]> {
    if (this.#running.size > 0 && drainMs > 0) {
      const empty = new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
      await settledWithin(empty, { clock, ms: drainMs });
    }
    return this.names;
  }

  /** Aborts the signal of all tasks. */
  abort(reason: Error): void {
    this.#controller.abort(reason);
  }
}
