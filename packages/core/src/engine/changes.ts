import { deferred } from '../async/deferred.ts';
import type { Env } from '../env/env.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { settledWithin } from '../time/settled-within.ts';

/** Hints may be lost: a waiting reader looks again after this. */
const backstopMs = 1_000;

/** The head of a run whose change somebody saw without knowing how far it goes. */
const unknownHead = Number.MAX_SAFE_INTEGER;

/** Called with the run that may have changed and its head after that; undefined: any run. */
type ChangeListener = (runId: string | undefined, head: number) => void;

/** Tells those who wait for a run that it may have changed. */
export class Changes {
  readonly #env: Env;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #listeners = new Set<ChangeListener>();
  readonly #unwatch: () => void;

  constructor(store: CheckedStore, env: Env) {
    this.#env = env;
    this.#unwatch = store.watch((hint) => this.tell(hint?.runId, hint?.head));
  }

  /** Somebody saw a change; undefined: of any run. */
  tell(runId: string | undefined, head: number = unknownHead): void {
    for (const listener of this.#listeners) listener(runId, head);
    if (runId === undefined) for (const each of Array.from(this.#waiting.keys())) this.#wake(each);
    else this.#wake(runId);
  }

  /** Calls back at every hint. Returns how to stop. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Watches for the next change of a run. Call it before reading the run, so that nothing is missed in between. `next`
   * resolves at a change, when `or` does, after `atMostMs`, or when the signal aborts.
   */
  watch(runId: string): Watch {
    const { promise: changed, resolve: wake } = deferred();
    const watched = new Set<string>();
    const also = (other: string): void => {
      const waiting = this.#waiting.get(other) ?? new Set();
      waiting.add(wake);
      this.#waiting.set(other, waiting);
      watched.add(other);
    };
    // By name: the next change may find others who wait for the same run, in another set.
    const forget = (): void => {
      for (const each of watched) {
        const waiting = this.#waiting.get(each);
        waiting?.delete(wake);
        if (waiting?.size === 0) this.#waiting.delete(each);
      }
    };
    also(runId);
    const next = async ({ or, atMostMs = backstopMs, signal }: NextOptions = {}): Promise<void> => {
      const { clock } = this.#env;
      const awaited = or === undefined ? changed : Promise.race([changed, or]);
      await settledWithin(awaited, { clock, ms: Math.min(atMostMs, backstopMs), signal });
      forget();
    };
    return { next, also, forget };
  }

  close(): void {
    this.#unwatch();
    this.tell(undefined);
  }

  #wake(runId: string): void {
    const waiting = this.#waiting.get(runId);
    if (waiting === undefined) return;
    this.#waiting.delete(runId);
    for (const wake of waiting) wake();
  }
}

interface NextOptions {
  readonly or?: Promise<void> | undefined;
  readonly atMostMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Waits for the next change of a run. */
export interface Watch {
  readonly next: (options?: NextOptions) => Promise<void>;
  /** Waits for the next change of another run too. */
  readonly also: (runId: string) => void;
  readonly forget: () => void;
}
