import { isUint8Array } from 'node:util/types';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { isPlainObject } from '../codec/plain-object.ts';
import { printable } from '../printable.ts';

/** A key and the name that what it wrote is found by. */
export interface EncryptionKey {
  /** 1 to 64 letters, digits, dots, underscores and hyphens. It is stored in the clear. */
  readonly id: string;
  /** 32 random bytes, from a secret manager; `crypto.randomBytes(32)` makes one. */
  readonly key: Uint8Array;
}

/** Keeps what users write from whoever has the store but not the keys. */
export interface Encryption {
  /** The first one writes, all of them read: a new key is put in front of the old ones. */
  readonly keys: readonly EncryptionKey[];
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const keyBytes = 32;

/** Gives back the keys, or refuses them before a store is touched; no message shows a key. @throws HOLDFAST_INVALID_OPTION */
export function checkKeys(encryption: unknown): readonly EncryptionKey[] {
  const keys: unknown = isPlainObject(encryption) ? encryption['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0) throw refused('encryption takes { keys: [{ id, key }, …] }');
  const seen = new Set<string>();
  return keys.map((given: unknown, at) => {
    const { id, key } = isPlainObject(given) ? given : {};
    if (typeof id !== 'string' || !idPattern.test(id)) {
      throw refused(
        `the id of key ${at + 1} is not one. Use 1 to 64 letters, digits, dots, underscores and hyphens, beginning with a letter or a digit`,
      );
    }
    if (!isUint8Array(key) || key.length !== keyBytes) {
      throw refused(`key "${printable(id)}" is not a Uint8Array of ${keyBytes} bytes`, id);
    }
    if (seen.has(id)) throw refused(`two keys have the id "${id}"`, id);
    seen.add(id);
    return { id, key };
  });
}

function refused(why: string, key?: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', `The store cannot be opened with encryption: ${why}.`, {
    details: { option: 'encryption', ...(key !== undefined && { key }) },
  });
}
