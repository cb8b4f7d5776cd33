import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { checkKeys, type Encryption, type EncryptionKey } from './encryption-key.ts';
import { missingKey, type Secret, type SecretPlace } from './secret.ts';

const cipher = 'aes-256-gcm';
const saltBytes = 12;
const checkBytes = 4;
const headBytes = saltBytes + checkBytes;
const nonceBytes = 12;
const tagBytes = 16;
/** The chance that two of so many random nonces are the same is below 2^-48. */
const defaultTexts = 2 ** 24;
/** Every process that wrote has left some; deriving one costs as much as reading a few texts. */
const keptKeys = 256;

/** What one salt makes of a user's key. */
interface Derived {
  readonly key: KeyObject;
  /** The salt and the check: how each of its texts begins. */
  readonly head: Buffer;
}

/**
 * Encrypts with AES-256-GCM under the first of the keys, and reads what any of them wrote.
 *
 * Random nonces of 96 bits are only good for some billion texts under one key, which a busy store writes in a day. So
 * the user's key is never used itself: a key is derived from it and a random salt, and after a while from another one.
 * Four more derived bytes tell a wrong key from a changed text.
 */
export class Keyring {
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #writer: string;
  readonly #textsOfOneSalt: number;
  readonly #derived = new Map<string, Derived>();
  #current: Derived | undefined;
  #texts = 0;

  constructor(keys: readonly EncryptionKey[], textsOfOneSalt: number = defaultTexts) {
    this.#textsOfOneSalt = textsOfOneSalt;
    // A copy: who gave a key may wipe it.
    this.#keys = new Map(keys.map(({ id, key }) => [id, createSecretKey(Buffer.from(key))]));
    this.#writer = keys[0]?.id ?? '';
  }

  /** The text, readable only with the key and only at this place. */
  hide(text: string, { bound }: SecretPlace): Secret {
    if (this.#current === undefined || this.#texts === this.#textsOfOneSalt) {
      this.#current = derive(this.#keys.get(this.#writer) as KeyObject, randomBytes(saltBytes));
      this.#texts = 0;
    }
    this.#texts += 1;
    const nonce = randomBytes(nonceBytes);
    const hiding = createCipheriv(cipher, this.#current.key, nonce, { authTagLength: tagBytes });
    hiding.setAAD(Buffer.from(bound));
    const parts = [this.#current.head, nonce, hiding.update(text, 'utf8'), hiding.final(), hiding.getAuthTag()];
    return { key: this.#writer, data: Buffer.concat(parts).toString('base64url') };
  }

  /** Whether the key of this id is here. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** The text again. @throws HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY, HOLDFAST_CORRUPT */
  readonly read = (secret: Secret, place: SecretPlace): string => {
    const given = this.#keys.get(secret.key);
    if (given === undefined) return missingKey(secret, place);
    const data = Buffer.from(secret.data, 'base64url');
    // Base64 has several spellings of the same bytes; only one of them was written.
    const isWhole = data.length >= headBytes + nonceBytes + tagBytes && data.toString('base64url') === secret.data;
    if (!isWhole) throw changed(secret, place);
    const { key, head } = this.#derivedOf(secret.key, given, data.subarray(0, saltBytes));
    if (!timingSafeEqual(head, data.subarray(0, headBytes))) throw wrongKey(secret, place);
    const textAt = headBytes + nonceBytes;
    const showing = createDecipheriv(cipher, key, data.subarray(headBytes, textAt), { authTagLength: tagBytes });
    showing.setAAD(Buffer.from(place.bound));
    showing.setAuthTag(data.subarray(-tagBytes));
    try {
      return Buffer.concat([showing.update(data.subarray(textAt, -tagBytes)), showing.final()]).toString('utf8');
    } catch {
      throw changed(secret, place);
    }
  };

  #derivedOf(id: string, key: KeyObject, salt: Buffer): Derived {
    const name = `${id} ${salt.toString('latin1')}`;
    const known = this.#derived.get(name);
    if (known !== undefined) return known;
    const made = derive(key, salt);
    const oldest = this.#derived.keys().next();
    if (this.#derived.size === keptKeys && oldest.done !== true) this.#derived.delete(oldest.value);
    this.#derived.set(name, made);
    return made;
  }
}

function derive(key: KeyObject, salt: Uint8Array): Derived {
  const bytes = Buffer.from(hkdfSync('sha256', key, salt, 'holdfast 1', 32 + checkBytes));
  return { key: createSecretKey(bytes.subarray(0, 32)), head: Buffer.concat([salt, bytes.subarray(32)]) };
}

function wrongKey({ key }: Secret, { where }: SecretPlace): Error {
  return holdfastError(
    'HOLDFAST_WRONG_KEY',
    `${where} cannot be read with the key "${key}" that was given: another one of that id wrote it, or it was changed. Give the one that wrote it; no two keys share an id.`,
    { details: { where, key } },
  );
}

function changed({ key }: Secret, { where }: SecretPlace): Error {
  return holdfastError(
    'HOLDFAST_CORRUPT',
    `${where} is not what was encrypted there with the key "${key}": it was changed, or comes from another place. Restore it from a backup.`,
    { details: { where, key } },
  );
}

/** The keyring of an option. @throws HOLDFAST_INVALID_OPTION */
export function keyringOf(encryption: Encryption): Keyring {
  return new Keyring(checkKeys(encryption));
}
