import { faultOf, storeFault } from '../../store-fault.ts';

interface Call {
  readonly runIds: ReadonlySet<string>;
  /** Never rejects. */
  readonly over: Promise<unknown>;
}

/**
 * Lets one call at a time change a run, so that what it checked still holds when it writes. Calls for different runs do not
 * wait for each other. After a failure that left files in doubt, every call is refused.
 */
export class RunMutex {
  readonly #calls = new Set<Call>();
  #poison: { readonly cause: unknown } | undefined;

  /** @throws HOLDFAST_STORE_FAILED when an earlier call left files in doubt */
  async run<T>(runIds: Iterable<string>, call: () => Promise<T>): Promise<T> {
    const mine = new Set(runIds);
    const before = [...this.#calls].filter((other) => [...other.runIds].some((runId) => mine.has(runId)));
    const result = before.length === 0 ? this.#begin(call) : this.#after(before, call);
    const entry: Call = { runIds: mine, over: result.catch(() => {}) };
    this.#calls.add(entry);
    try {
      return await result;
    } finally {
      this.#calls.delete(entry);
    }
  }

  /** Refuses every call from now on. */
  poison(cause: unknown): void {
    this.#poison ??= { cause };
  }

  get isPoisoned(): boolean {
    return this.#poison !== undefined;
  }

  /** Resolves when no call is in flight. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all([...this.#calls].map(({ over }) => over));
  }

  async #after<T>(before: readonly Call[], call: () => Promise<T>): Promise<T> {
    await Promise.all(before.map(({ over }) => over));
    return this.#begin(call);
  }

  async #begin<T>(call: () => Promise<T>): Promise<T> {
    if (this.#poison !== undefined) throw storeFault({ effect: 'none', poisoned: true, cause: this.#poison.cause });
    try {
      return await call();
    } catch (error) {
      const { poisoned, cause } = faultOf(error);
      if (poisoned) this.poison(cause);
      throw error;
    }
  }
}
