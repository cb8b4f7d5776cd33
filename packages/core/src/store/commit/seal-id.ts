import { contentOf } from '../../record/content-of.ts';
import type { NewEntry } from '../../record/record.ts';
import { formatCursor, type Place } from '../../value/cursor.ts';
import { checksum } from '../../value/hash/checksum.ts';
import { shortHash } from '../../value/hash/short-hash.ts';
import type { Keyring } from '../../value/secret/keyring.ts';
import type { ReadSecret } from '../../value/secret/secret.ts';
import { hideText, isHidden, showText } from '../../value/secret/secret-text.ts';
import type { KnownId } from '../check/known-id.ts';
import type { StoredId } from '../contract/commit.ts';
import { unseal } from './unseal.ts';

/** The ids of a commit's records, for a driver. */
export function sealIds(place: Place, entries: readonly NewEntry[], keyring: Keyring | undefined): readonly StoredId[] {
  if (!entries.some(({ id }) => id !== undefined)) return none;
  return entries.flatMap((entry, at) => {
    if (entry.id === undefined) return [];
    const known = { id: hashOfId(entry.id), seq: place.seq + at, at: entry.at, content: contentOf(entry) };
    return [sealId(place.runId, known, keyring)];
  });
}

const none: readonly StoredId[] = [];

/** The format character of a content that is not encrypted. */
const plainFormat = 'h';

/** The form in which stores know an id. */
export function hashOfId(id: string): string {
  return shortHash(id);
}

/** Encodes an id for a driver. With keys the content is encrypted: the hash of a short value could be guessed. */
export function sealId(runId: string, { id, seq, at, content = '' }: KnownId, keyring: Keyring | undefined): StoredId {
  const where = idPlace(runId, { id, seq, at });
  const text = keyring === undefined ? `${plainFormat}${content}` : hideText(keyring, where, content);
  return { id, seq, at, text, crc: checksum(where, text) };
}

/** Decodes an id. @throws HOLDFAST_CORRUPT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY */
export function openId(runId: string, stored: StoredId, read: ReadSecret): KnownId {
  const { id, seq, at } = stored;
  const where = idPlace(runId, stored);
  const text = unseal(where, stored);
  return { id, seq, at, content: isHidden(text) ? showText(read, where, text) : text.slice(plainFormat.length) };
}

function idPlace(runId: string, { id, seq, at }: Pick<StoredId, 'id' | 'seq' | 'at'>): string {
  return `${formatCursor(runId, seq)} id ${id} of ${at}`;
}
