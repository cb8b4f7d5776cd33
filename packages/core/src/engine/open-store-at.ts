import type { Env } from '../env/env.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Encryption } from '../value/secret/encryption-key.ts';
import type { Keyring } from '../value/secret/keyring.ts';
import { type StoreUrl, storeAt } from './store-at.ts';

interface OpenStoreAtOptions {
  readonly encryption?: Encryption | undefined;
  /** How long transient faults are retried: no longer than a lease. */
  readonly patienceMs?: number | undefined;
}

/** Opens the store at an address, or one of one's own. @throws HOLDFAST_INVALID_OPTION */
export async function openStoreAt(
  store: StoreUrl | Store,
  env: Env,
  { encryption, patienceMs }: OpenStoreAtOptions = {},
): Promise<CheckedStore> {
  const keyring = encryption && (await keyringFor(encryption));
  return openStore(typeof store === 'string' ? await storeAt(store) : store, env, { keyring, patienceMs });
}

/** Its code is loaded only where it is used, so that nobody else pays for it. */
async function keyringFor(encryption: Encryption): Promise<Keyring> {
  const { keyringOf } = await import('../value/secret/keyring.ts');
  return keyringOf(encryption);
}
