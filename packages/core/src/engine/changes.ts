import { deferred } from '../async/deferred.ts';
import type { Env } from '../env/env.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { settledWithin } from '../time/settled-within.ts';

/** Hints can be lost, so a waiting reader looks again after this time. */
const backstopMs = 1_000;

/** Stands for the head of a run that changed by an unknown amount. */
const unknownHead = Number.MAX_SAFE_INTEGER;

/** Called with the run that may have changed and its new head. Undefined: any run. */
type ChangeListener = (runId: string | undefined, head: number, notDue: boolean) => void;

/** Tells everyone who waits for a run that it may have changed. */
export class Changes {
  readonly #env: Env;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #listeners = new Set<ChangeListener>();
  readonly #unwatch: () => void;

  constructor(store: CheckedStore, env: Env) {
    this.#env = env;
    this.#unwatch = store.watch((hint) => this.tell(hint?.runId, hint?.head, hint?.notDue));
  }

  /** Reports a change of a run. Undefined: of any run. */
  tell(runId: string | undefined, head: number = unknownHead, notDue = false): void {
    for (const listener of this.#listeners) listener(runId, head, notDue);
    if (runId === undefined) for (const each of Array.from(this.#waiting.keys())) this.#wake(each);
    else this.#wake(runId);
  }

  /** Calls back at every hint. Returns a function that stops it. */
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
    // Look up the set again: by the next change, the run may have a new set of waiters.
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
