import type { Env } from '../env/env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { Bounds } from '../value/bounds.ts';
import type { Keyring } from '../value/secret/keyring.ts';
import { CheckedStore } from './checked-store.ts';
import type { StoreDriver } from './contract/driver.ts';

declare const brand: unique symbol;

/**
 * A store of runs that an engine can open: from `holdfast/testing`, or a custom store from `defineStore`.
 *
 * @example
 * ```ts
 * const store: Store = memoryStore();
 * const opened = await openEngine(store);
 * ```
 */
export interface Store {
  readonly [brand]: 'store';
}

/** How a store is opened. */
export interface OpenHow {
  /** True if the store was open before: if it is gone now, fail instead of creating an empty one. */
  readonly again: boolean;
  /** How long callers try, a lease: a driver that waits for other machines should give up one attempt well before that. */
  readonly patienceMs?: number | undefined;
}

type OpenDriver = (env: Env, how: OpenHow) => Promise<StoreDriver>;

/** How to open each store. Users only see an opaque value. */
const openers = new WeakMap<Store, OpenDriver>();

/** Creates a store from a driver. `open` is called whenever an engine opens the store, and again after a failure. */
export function defineStore(open: OpenDriver): Store {
  const store = Object.freeze({}) as Store;
  openers.set(store, open);
  return store;
}

interface OpenStoreOptions {
  readonly keyring?: Keyring | undefined;
  /** Refuses what is not encrypted. */
  readonly strict?: boolean | undefined;
  /** How long transient faults are retried. */
  readonly patienceMs?: number | undefined;
  /** How much callers may write. */
  readonly bounds?: Bounds | undefined;
}

/** Opens the store, and reopens it if it fails permanently. @throws HOLDFAST_INVALID_OPTION when it was not made by `defineStore` */
export async function openStore(store: Store, env: Env, options: OpenStoreOptions = {}): Promise<CheckedStore> {
  const { patienceMs } = options;
  const reopen = (): Promise<StoreDriver> => openDriver(store, env, { again: true, patienceMs });
  const driver = await openDriver(store, env, { again: false, patienceMs });
  return new CheckedStore(driver, env, { ...options, reopen });
}

/** Opens only the store's driver. @throws HOLDFAST_INVALID_OPTION when it was not made by `defineStore` */
export async function openDriver(store: Store, env: Env, how: OpenHow = { again: false }): Promise<StoreDriver> {
  const open = openers.get(store);
  if (open === undefined) {
    throw holdfastError(
      'HOLDFAST_INVALID_OPTION',
      "This is not a store. Pass a URL such as 'sqlite:./runs.db', or what sqliteStore() or defineStore() returned.",
    );
  }
  return open(env, how);
}
