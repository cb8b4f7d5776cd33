import type { Env } from '../env/env.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Bounds } from '../value/bounds.ts';
import type { Encryption } from '../value/secret/encryption-key.ts';
import type { Keyring } from '../value/secret/keyring.ts';
import { type StoreUrl, storeAt } from './store-at.ts';

interface OpenStoreAtOptions {
  readonly encryption?: Encryption | undefined;
  /** How long transient faults are retried: no longer than a lease. */
  readonly patienceMs?: number | undefined;
  /** How much callers may write. */
  readonly bounds?: Bounds | undefined;
}

/** Opens a store by its URL, or a custom store. @throws HOLDFAST_INVALID_OPTION */
export async function openStoreAt(
  store: StoreUrl | Store,
  env: Env,
  { encryption, patienceMs, bounds }: OpenStoreAtOptions = {},
): Promise<CheckedStore> {
  const keyring = encryption && (await keyringFor(encryption));
  return openStore(typeof store === 'string' ? await storeAt(store) : store, env, {
    keyring,
    strict: encryption?.strict,
    patienceMs,
    bounds,
  });
}

/** Loaded on demand, so that only its users pay for it. */
async function keyringFor(encryption: Encryption): Promise<Keyring> {
  const { keyringOf } = await import('../value/secret/keyring.ts');
  return keyringOf(encryption);
}
