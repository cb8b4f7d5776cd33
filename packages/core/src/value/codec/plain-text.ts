import { ownFacts } from '../frozen/own.ts';
import { isSpecialNumber, isTagLike } from './special.ts';
import { maxBytes } from './walk.ts';

/** What Holdfast builds around frozen copies is a few levels deep; anything deeper is looked at with more care. */
const deepestBuilt = 24;
/** As many bytes as one unit of a string can take. */
const mostBytesAUnit = 3;
/** Longer strings are looked through faster by what encodes them. */
const shortString = 24;

/**
 * The JSON of a part of a value that Holdfast itself has built around frozen copies of what users gave; undefined where
 * its text is not simply its JSON, or may be too large. Most of it is a few names and numbers: putting those together is
 * faster than to make sure that nothing else is there and to have it encoded then.
 */
export function plainText(value: unknown): string | undefined {
  const text = textOf(value, 0);
  return text === none || text.length * mostBytesAUnit > maxBytes ? undefined : text;
}

/** What nothing has for its JSON. */
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

/** Whether a character is printable ASCII that JSON needs no backslash for. */
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
  // Without an array of the keys: every record is written so.
  for (const key in object) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || !Object.hasOwn(object, key)) continue;
    const item = isTagLike(key) ? none : textOf(value, depth);
    if (item === none) return none;
    text += `${text === '{' ? '' : ','}${textOfString(key)}:${item}`;
  }
  return `${text}}`;
}
