import { holdfastError } from '../../errors/holdfast-error.ts';
import { printable } from '../printable.ts';
import { survey } from './survey.ts';
import { tagged } from './tag.ts';
import { isTooDeep, Misfit, tooDeep, untagged } from './untag.ts';
import { strictly, tooLarge, trustingly, type WalkOptions } from './walk.ts';

/** Tagged JSON. A later format must start with another character. */
const format = 'j';

/**
 * Encodes a value without loss: `decodeValue` returns an equal value. Runs no user code.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function encodeValue(value: unknown): string {
  return encode(value, strictly);
}

/**
 * Like `encodeValue`, but twice as fast, for objects that Holdfast built around frozen copies of user values. They may be a
 * few levels deeper, and are not checked for getters, symbol keys and properties of arrays.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function encodeOwn(value: unknown): string {
  return encode(value, trustingly);
}

/**
 * Decodes a text of `encodeValue`. Builds only the kinds of values that `encodeValue` accepts.
 *
 * @throws HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_CORRUPT
 */
export function decodeValue(text: string): unknown {
  if (!text.startsWith(format)) throw wrongStart(text);
  try {
    const value: unknown = JSON.parse(text.slice(1));
    if (text.includes('"$')) return untagged(value);
    if (isTooDeep(value, text)) throw new Misfit(tooDeep);
    return value;
  } catch (cause) {
    const why = cause instanceof Misfit ? cause.message : 'it is not JSON';
    throw holdfastError('HOLDFAST_CORRUPT', `A stored value is corrupt: ${why}. Restore it from a backup.`, { cause });
  }
}

function encode(value: unknown, options: WalkOptions): string {
  const { special } = survey(value, options);
  const text = format + JSON.stringify(special ? tagged(value, { sorted: false }) : value);
  // What was not measured exactly is measured now. The format character is not the user's.
  const { maxBytes } = options;
  if (!options.exact && text.length * 3 > maxBytes && Buffer.byteLength(text) - 1 > maxBytes) throw tooLarge(maxBytes);
  return text;
}

function wrongStart(text: string): Error {
  if (text === '')
    return holdfastError('HOLDFAST_CORRUPT', 'A stored value is corrupt: it is empty. Restore it from a backup.');
  const found = printable(text.slice(0, 1));
  return holdfastError(
    'HOLDFAST_UNKNOWN_FORMAT',
    `A stored value has the format "${found}", which this version of Holdfast does not know. Use the version that wrote it, or a newer one.`,
    { details: { format: found } },
  );
}
