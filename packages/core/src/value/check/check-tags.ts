import { type Bounds, tooMany } from '../bounds.ts';
import { isPlainObject } from '../codec/plain-object.ts';
import { isLabel } from '../data-shape.ts';
import { frozenCopy } from '../frozen/frozen-copy.ts';
import { invalidOption } from './check-options.ts';

/** Validates a user's tags. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_TOO_MANY */
export function checkTags(tags: unknown, { tags: limit }: Pick<Bounds, 'tags'>): Readonly<Record<string, string>> {
  if (tags === undefined) return {};
  if (!isPlainObject(tags)) throw invalid();
  const entries = Object.entries(tags);
  if (entries.length > limit) throw tooMany('tags', limit, `A run was given ${entries.length} tags.`);
  if (!entries.flat().every(isTagText)) throw invalid();
  return frozenCopy(tags) as Readonly<Record<string, string>>;
}

/** A text that every store keeps, a person can see and an import accepts. */
function isTagText(value: unknown): boolean {
  return isLabel(value) && (value as string).trim() !== '';
}

function invalid(): Error {
  return invalidOption(
    'tags',
    'The tags of a run must be an object of strings: names and values of at most 256 characters, not empty or white space, without NUL or lone surrogates.',
  );
}
