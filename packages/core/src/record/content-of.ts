import { hashValue } from '../value/codec/canonical.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { shortHash } from '../value/hash/short-hash.ts';
import type { NewEntry } from './record.ts';

/**
 * What another record with the same id has to equal to count as a repeat, as a hash. It is a function of the record alone, so
 * that a copied record has the same.
 */
export function contentOf(entry: NewEntry): string {
  const { kind, source = 'system', labels = [], meta = {}, payload } = entry;
  const fields = isPlainObject(payload) ? payload : {};
  // A turn is the input that it was given, whether it started the run or came later.
  if (kind !== 'note' && typeof fields['hash'] === 'string') return shortHash(fields['hash']);
  if (kind === 'message') return shortHash(hashValue([fields['name'], fields['value']]));
  if (kind === 'checkpoint') return shortHash(String(meta['content']));
  return shortHash(hashValue([kind, source, labels, meta, payload]));
}
