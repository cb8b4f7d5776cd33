import { holdfastError } from '../../errors/holdfast-error.ts';
import { isPlainObject } from '../codec/plain-object.ts';
import { printable } from '../printable.ts';

/** An encrypted text and the id of its key. */
export interface Secret {
  readonly key: string;
  /** In base64url: salt, key check, nonce, ciphertext, tag. */
  readonly data: string;
}

/** The position of a secret. */
export interface SecretPlace {
  /** For messages: `run@seq`, or a part of a snapshot. */
  readonly where: string;
  /** Authenticated data: the secret can only be decrypted together with exactly this text. */
  readonly bound: string;
}

/** Decrypts a secret; undefined for one that is skipped on purpose. @throws HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY, HOLDFAST_CORRUPT */
export interface ReadSecret {
  (secret: Secret, place: SecretPlace): string | undefined;
  /** Whether everything has to be a secret. */
  readonly strict?: boolean | undefined;
}

/** Refuses what is not encrypted where everything has to be: anyone could have written it. @throws HOLDFAST_CORRUPT */
export function checkPlain({ strict }: ReadSecret, where: string): void {
  if (strict !== true) return;
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `${where} is not encrypted, and this engine reads only what is (encryption.strict). Somebody else wrote it, or it is older than the encryption of this store.`,
    { details: { where } },
  );
}

/** Whether this is a stored secret. */
export function isSecret(value: unknown): value is Secret {
  return isPlainObject(value) && typeof value['key'] === 'string' && typeof value['data'] === 'string';
}

/** Used without keys: always throws. @throws HOLDFAST_MISSING_KEY */
export function missingKey(secret: Secret, { where }: SecretPlace): never {
  const key = printable(secret.key);
  throw holdfastError(
    'HOLDFAST_MISSING_KEY',
    `${where} is encrypted with the key "${key}", which was not passed. Open the store with it: openEngine(url, { encryption: { keys: [{ id: "${key}", key }] } }).`,
    { details: { where, key } },
  );
}
