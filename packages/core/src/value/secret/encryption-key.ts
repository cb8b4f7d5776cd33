import { isUint8Array } from 'node:util/types';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { isPlainObject } from '../codec/plain-object.ts';
import { printable } from '../printable.ts';

/**
 * A key and the id that is stored with everything it encrypts.
 *
 * @example
 * ```ts
 * const december: EncryptionKey = { id: '2026-12', key: randomBytes(32) };
 * ```
 */
export interface EncryptionKey {
  /** 1 to 64 letters, digits, dots, underscores and hyphens. Stored unencrypted. */
  readonly id: string;
  /** 32 random bytes, from a secret manager. Create one with `crypto.randomBytes(32)`. */
  readonly key: Uint8Array;
}

/**
 * Encrypts user data, so that it cannot be read from the store without the keys.
 *
 * @example
 * ```ts
 * const encryption: Encryption = { keys: [{ id: '2026-12', key: randomBytes(32) }], strict: true };
 * const secret = await openEngine('sqlite:./runs.db', { encryption });
 * ```
 */
export interface Encryption {
  /** The first key encrypts; all of them decrypt. Add a new key in front of the old ones. */
  readonly keys: readonly EncryptionKey[];
  /**
   * True: records and snapshots that are not encrypted are corrupt, so that nobody can put a plain one in the place of an
   * encrypted one. Default: false, for a store in which encryption was switched on later.
   */
  readonly strict?: boolean | undefined;
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const keyBytes = 32;

/** Checks the keys. No message contains a key. @throws HOLDFAST_INVALID_OPTION */
export function checkKeys(encryption: unknown): readonly EncryptionKey[] {
  const keys: unknown = isPlainObject(encryption) ? encryption['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0) throw refused('encryption must be { keys: [{ id, key }, …] }');
  const { strict, ...others } = encryption as Record<string, unknown>;
  if (strict !== undefined && typeof strict !== 'boolean') throw refused('strict must be true or false');
  const [unknown] = Object.keys(others).filter((name) => name !== 'keys');
  if (unknown !== undefined) throw refused(`it has no field "${printable(unknown)}"`);
  const seen = new Set<string>();
  return keys.map((given: unknown, at) => {
    const { id, key } = isPlainObject(given) ? given : {};
    if (typeof id !== 'string' || !idPattern.test(id)) {
      throw refused(
        `key ${at + 1} has an invalid id. Use 1 to 64 letters, digits, dots, underscores and hyphens, starting with a letter or a digit`,
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
  return holdfastError('HOLDFAST_INVALID_OPTION', `Invalid encryption option: ${why}.`, {
    details: { option: 'encryption', ...(key !== undefined && { key }) },
  });
}
