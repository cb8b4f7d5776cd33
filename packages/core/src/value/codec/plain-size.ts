import { ownFacts } from '../frozen/own.ts';
import { isSpecialNumber, isTagLike } from './special.ts';

/** What Holdfast builds around frozen copies is a few levels deep; anything deeper is looked at with more care. */
export const deepestBuilt = 24;

/**
 * A lower bound of the bytes that the JSON of a value takes, of what Holdfast itself has built around frozen copies. NaN
 * where its text is not simply its JSON: it needs tags, is deep, or cannot be stored at all. A survey says which; this
 * only makes sure that nothing of the kind is there, in a third of the time.
 */
export function plainSize(value: unknown, depth = 0): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2;
    case 'number':
      return isSpecialNumber(value) ? Number.NaN : 1;
    case 'boolean':
      return 4;
    case 'object':
      return value === null ? 4 : sizeOfObject(value, depth);
    default:
      return Number.NaN;
  }
}

function sizeOfObject(value: object, depth: number): number {
  const facts = ownFacts(value);
  if (facts !== undefined) return facts.special ? Number.NaN : facts.size;
  if (depth === deepestBuilt) return Number.NaN;
  if (Array.isArray(value)) return sizeOfArray(value, depth + 1);
  return Object.getPrototypeOf(value) === Object.prototype ? sizeOfFields(value, depth + 1) : Number.NaN;
}

function sizeOfArray(array: readonly unknown[], depth: number): number {
  let size = 1 + array.length;
  for (const item of array) size += plainSize(item, depth);
  return size;
}

function sizeOfFields(object: object, depth: number): number {
  let size = 1;
  // Without an array of the keys: every record is measured so.
  for (const key in object) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) continue;
    if (isTagLike(key)) return Number.NaN;
    size += key.length + 3 + plainSize(value, depth);
  }
  return size;
}
