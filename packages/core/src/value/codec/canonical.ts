import { hash } from 'node:crypto';
import { survey } from './survey.ts';
import { tagged } from './tag.ts';
import { strictly } from './walk.ts';

/**
 * A text that is the same for equal values, whatever the order of their keys is.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function canonicalText(value: unknown): string {
  survey(value, strictly);
  return JSON.stringify(tagged(value, { sorted: true }));
}

/**
 * The SHA-256 of the canonical text, in hex: the same for equal values.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function hashValue(value: unknown): string {
  const text = canonicalText(value);
  if (text.length > mostKept) return hash('sha256', text);
  if (text !== last.text) last = { text, hash: hash('sha256', text) };
  return last.hash;
}

/** Runs are often started with the same input, so the hash of the last short text is cached. */
const mostKept = 256;
let last = { text: '', hash: '' };
