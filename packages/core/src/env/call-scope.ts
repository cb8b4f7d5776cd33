import { AsyncLocalStorage } from 'node:async_hooks';

/** Knows, also across awaits, on whose behalf code runs. */
export interface CallScope {
  /** Runs the function, and all that it starts, on behalf of the owner. */
  run<T>(owner: object, fn: () => T): T;
  /** On whose behalf this code runs; undefined outside of any `run`. */
  owner(): object | undefined;
}

/** A scope that follows Node's asynchronous calls. */
export function nodeCallScope(): CallScope {
  const storage = new AsyncLocalStorage<object>();
  return {
    run: (owner, fn) => storage.run(owner, fn),
    owner: () => storage.getStore(),
  };
}
