import { ownFacts } from '../frozen/own.ts';
import { isSpecialNumber, isTagLike } from './special.ts';

/** Objects that Holdfast builds around frozen copies are a few levels deep. Deeper ones take the slow path. */
export const deepestBuilt = 24;

/**
 * A lower bound of the JSON size in bytes of an object that Holdfast built around frozen copies. NaN if plain JSON cannot
 * represent it: it needs tags, is deep, or cannot be stored. `survey` finds the reason; this check takes a third of its
 * time.
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
  // for-in, to avoid an array of keys: this runs for every record.
  for (const key in object) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) continue;
    if (isTagLike(key)) return Number.NaN;
    size += key.length + 3 + plainSize(value, depth);
  }
  return size;
}
