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
/** The chance of a collision among this many random nonces is below 2^-48. */
const defaultTexts = 2 ** 24;
/** How many derived keys to cache. Each writing process adds some, and deriving one costs as much as reading a few texts. */
const keptKeys = 256;

/** A key derived from a user's key and a salt. */
interface Derived {
  readonly key: KeyObject;
  /** The salt and the key check, which every text of this key starts with. */
  readonly head: Buffer;
}

/**
 * Encrypts with AES-256-GCM and the first key, and decrypts with any of the keys.
 *
 * Random 96-bit nonces are safe for a few billion texts per key, which a busy store writes in a day. So the user's key is
 * never used directly: we derive a key from it and a random salt, and change the salt regularly. Four more derived bytes
 * distinguish a wrong key from a changed text.
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
    // Copied, because the caller may wipe the key.
    this.#keys = new Map(keys.map(({ id, key }) => [id, createSecretKey(Buffer.from(key))]));
    this.#writer = keys[0]?.id ?? '';
  }

  /** Encrypts a text, bound to this position. */
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

  /** Whether the keyring has the key with this id. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Decrypts a text. @throws HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY, HOLDFAST_CORRUPT */
  readonly read = (secret: Secret, place: SecretPlace): string => {
    const given = this.#keys.get(secret.key);
    if (given === undefined) return missingKey(secret, place);
    const data = Buffer.from(secret.data, 'base64url');
    // Base64 can spell the same bytes in several ways; we write only one.
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
    `${where} cannot be decrypted with the key "${key}": a different key with that id encrypted it, or the data was changed. Pass the key that encrypted it. Two keys must never share an id.`,
    { details: { where, key } },
  );
}

function changed({ key }: Secret, { where }: SecretPlace): Error {
  return holdfastError(
    'HOLDFAST_CORRUPT',
    `${where} is not what was encrypted there with the key "${key}": it was changed or moved. Restore it from a backup.`,
    { details: { where, key } },
  );
}

/** The keyring for the encryption option. @throws HOLDFAST_INVALID_OPTION */
export function keyringOf(encryption: Encryption): Keyring {
  return new Keyring(checkKeys(encryption));
}
