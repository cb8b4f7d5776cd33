import { AsyncLocalStorage } from 'node:async_hooks';

/** Tracks, across awaits, which owner code runs for. */
export interface CallScope {
  /** Runs the function, and everything it starts, for the owner. */
  run<T>(owner: object, fn: () => T): T;
  /** The owner that this code runs for; undefined outside of `run`. */
  owner(): object | undefined;
}

/** A call scope based on AsyncLocalStorage. */
export function nodeCallScope(): CallScope {
  const storage = new AsyncLocalStorage<object>();
  return {
    run: (owner, fn) => storage.run(owner, fn),
    owner: () => storage.getStore(),
  };
}
