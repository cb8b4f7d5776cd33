import { ownFacts } from '../frozen/own.ts';
import { isSpecialNumber, isTagLike } from './special.ts';
import { maxBytes } from './walk.ts';

/** Objects that Holdfast builds around frozen copies are a few levels deep. Deeper ones take the slow path. */
const deepestBuilt = 24;
/** The most bytes that one UTF-16 code unit takes. */
const mostBytesAUnit = 3;
/** JSON.stringify is faster for longer strings. */
const shortString = 24;

/**
 * The JSON of an object that Holdfast built around frozen copies of user values; undefined if plain JSON cannot represent
 * it, or if it may be too large. Most such objects are a few names and numbers, so concatenating strings is faster than
 * checking first and calling JSON.stringify then.
 */
export function plainText(value: unknown): string | undefined {
  const text = textOf(value, 0);
  return text === none || text.length * mostBytesAUnit > maxBytes ? undefined : text;
}

/** Returned for a value that plain JSON cannot represent. */
const none = '';

function textOf(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return textOfString(value);
    case 'number':
      return isSpecialNumber(value) ? none : `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : textOfObject(value, depth);
    default:
      return none;
  }
}

function textOfString(string: string): string {
  if (string.length > shortString) return JSON.stringify(string);
  for (let at = 0; at < string.length; at += 1) {
    if (!isAsItIs(string.charCodeAt(at))) return JSON.stringify(string);
  }
  return `"${string}"`;
}

/** Whether a character is printable ASCII that needs no backslash in JSON. */
function isAsItIs(code: number): boolean {
  return code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c;
}

function textOfObject(value: object, depth: number): string {
  const facts = ownFacts(value);
  if (facts !== undefined) return facts.special ? none : JSON.stringify(value);
  if (depth === deepestBuilt) return none;
  if (Array.isArray(value)) return textOfArray(value, depth + 1);
  return Object.getPrototypeOf(value) === Object.prototype ? textOfFields(value, depth + 1) : none;
}

function textOfArray(array: readonly unknown[], depth: number): string {
  let text = '[';
  for (let at = 0; at < array.length; at += 1) {
    const item = textOf(array[at], depth);
    if (item === none) return none;
    text += at === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function textOfFields(object: object, depth: number): string {
  let text = '{';
  // for-in, to avoid an array of keys: this runs for every record.
  for (const key in object) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || !Object.hasOwn(object, key)) continue;
    const item = isTagLike(key) ? none : textOf(value, depth);
    if (item === none) return none;
    text += `${text === '{' ? '' : ','}${textOfString(key)}:${item}`;
  }
  return `${text}}`;
}
