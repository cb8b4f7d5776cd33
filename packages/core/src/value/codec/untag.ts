import { maxDigits, setOwn } from './special.ts';

/** Thrown for a stored text that Holdfast never writes: the text is corrupt. */
export class Misfit extends Error {}

/** Deeper than any text that we write. The recursion must end before the stack overflows. */
const deepest = 2_000;
/** What is wrong with a value that is nested deeper. */
export const tooDeep: string = `it is nested more than ${deepest} levels deep`;
/** No shorter text is nested too deep: each level takes two characters. */
const leastDeepText = 2 * deepest;
const integer = /^(?:0|-?[1-9]\d*)$/;
const specialNumbers: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
]);

/**
 * Converts parsed JSON back to the value, in place. Builds only the kinds named here.
 *
 * @throws Misfit
 */
export function untagged(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) throw new Misfit(tooDeep);
  if (Array.isArray(value)) return untaggedItems(value, depth);
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object);
  const [first] = keys;
  if (keys.length === 1 && first?.charCodeAt(0) === 36) return untaggedOne(first, object[first], depth);
  for (const key of keys) {
    const child = object[key];
    const next = untagged(child, depth + 1);
    // It is an own key, so even `__proto__` is only data here.
    if (next !== child) object[key] = next;
  }
  return object;
}

/** Whether parsed JSON is nested deeper than any text that we write. Most texts are too short for that, and not looked into. */
export function isTooDeep(value: unknown, text: string): boolean {
  return text.length > leastDeepText && isDeeper(value, 0);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > deepest) return true;
  const inside = Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value);
  return inside.some((each) => isDeeper(each, depth + 1));
}

function untaggedItems(items: unknown[], depth: number): unknown[] {
  for (let index = 0; index < items.length; index++) {
    const item: unknown = items[index];
    const next = untagged(item, depth + 1);
    if (next !== item) items[index] = next;
  }
  return items;
}

function untaggedOne(tag: string, content: unknown, depth: number): unknown {
  if (tag.startsWith('$$')) {
    const object: Record<string, unknown> = {};
    setOwn(object, tag.slice(1), untagged(content, depth + 1));
    return object;
  }
  switch (tag) {
    case '$date':
      return toDate(content);
    case '$bigint':
      return toBigInt(content);
    case '$number':
      return toNumber(content);
    case '$undefined':
      return toUndefined(content);
    case '$bytes':
      return toBytes(content);
    case '$set':
      return toSet(content, depth);
    case '$map':
      return toMap(content, depth);
    default:
      throw new Misfit('it has an unknown tag');
  }
}

function toDate(content: unknown): Date {
  if (content === null) return new Date(Number.NaN);
  if (typeof content === 'string') {
    const date = new Date(content);
    if (!Number.isNaN(date.getTime()) && date.toISOString() === content) return date;
  }
  throw new Misfit('it has an invalid $date');
}

function toBigInt(content: unknown): bigint {
  const isShort = typeof content === 'string' && content.length <= maxDigits + 1;
  if (isShort && integer.test(content)) return BigInt(content);
  throw new Misfit('it has an invalid $bigint');
}

function toNumber(content: unknown): number {
  const number = specialNumbers.get(content);
  if (number === undefined) throw new Misfit('it has an invalid $number');
  return number;
}

function toUndefined(content: unknown): undefined {
  if (content !== true) throw new Misfit('it has an invalid $undefined');
}

function toBytes(content: unknown): Uint8Array {
  if (typeof content === 'string') {
    const buffer = Buffer.from(content, 'base64');
    // Copied, because small buffers are slices of a shared pool.
    if (buffer.toString('base64') === content) return new Uint8Array(buffer);
  }
  throw new Misfit('it has invalid $bytes');
}

function toSet(content: unknown, depth: number): Set<unknown> {
  if (Array.isArray(content)) {
    const set = new Set(untaggedItems(content, depth + 1));
    if (set.size === content.length) return set;
  }
  throw new Misfit('it has an invalid $set');
}

function toMap(content: unknown, depth: number): Map<unknown, unknown> {
  if (Array.isArray(content)) {
    const map = new Map<unknown, unknown>();
    for (const entry of content as readonly unknown[]) {
      if (!Array.isArray(entry) || entry.length !== 2) throw new Misfit('it has an invalid $map entry');
      const [key, value] = untaggedItems(entry, depth + 2);
      map.set(key, value);
    }
    if (map.size === content.length) return map;
  }
  throw new Misfit('it has an invalid $map');
}
