import { holdfastError } from '../../errors/holdfast-error.ts';
import { isPlainObject } from '../codec/plain-object.ts';
import { printable } from '../printable.ts';

/** A text that only who has the key of this id can read. */
export interface Secret {
  readonly key: string;
  /** In base64url: salt, key check, nonce, ciphertext, tag. */
  readonly data: string;
}

/** Where a secret stands. */
export interface SecretPlace {
  /** As messages name it: `run@seq`, or a part of a snapshot. */
  readonly where: string;
  /** What must be there with it, to the letter: it reads nowhere else. */
  readonly bound: string;
}

/** Reads secrets; undefined for one that is left closed on purpose. @throws HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY, HOLDFAST_CORRUPT */
export type ReadSecret = (secret: Secret, place: SecretPlace) => string | undefined;

/** Whether this is a secret as it is stored. */
export function isSecret(value: unknown): value is Secret {
  return isPlainObject(value) && typeof value['key'] === 'string' && typeof value['data'] === 'string';
}

/** Reads nothing: for who was given no keys. @throws HOLDFAST_MISSING_KEY */
export function missingKey(secret: Secret, { where }: SecretPlace): never {
  const key = printable(secret.key);
  throw holdfastError(
    'HOLDFAST_MISSING_KEY',
    `${where} is encrypted with the key "${key}", which is not here. Open the store with it: open(url, { encryption: { keys: [{ id: "${key}", key }] } }).`,
    { details: { where, key } },
  );
}
