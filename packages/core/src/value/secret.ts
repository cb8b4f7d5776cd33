import { isPlainObject } from './plain-object.ts';

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

/** Reads secrets; undefined for one that is left closed on purpose. @throws HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY, HOLDFAST_DAMAGED */
export type ReadSecret = (secret: Secret, place: SecretPlace) => string | undefined;

/** Whether this is a secret as it is stored. */
export function isSecret(value: unknown): value is Secret {
  return isPlainObject(value) && typeof value['key'] === 'string' && typeof value['data'] === 'string';
}
