import { holdfastError } from '../errors/holdfast-error.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';

/** Takes `count` items of the list from `from` on, then puts `items`. */
export type Run = readonly [from: number, count: number, items: readonly unknown[]];

/** Changes the item at `index`. */
export type Put = readonly [index: number, delta: Delta];

/**
 * What turns the previous value of a channel into the next: data, replayed with no user code at hand.
 *
 * - `['=', value]`: this value.
 * - `['-']`: no value; only for a whole channel.
 * - `['+', items]`: these items after those of a list; a text after a text.
 * - `['@', puts, items]`: items of a list changed in place, then these after them.
 * - `['~', runs]`: a list made of runs of the old one and new items.
 * - `['o', changes, removed]`: keys of an object changed, added or removed.
 */
export type Delta =
  | readonly ['=', unknown]
  | readonly ['-']
  | readonly ['+', readonly unknown[] | string]
  | readonly ['@', readonly Put[], readonly unknown[]]
  | readonly ['~', readonly Run[]]
  | readonly ['o', Deltas, readonly string[]];

/** A delta a key: of an object, or of a state by channel. Read own keys only: a key may be `__proto__`. */
export type Deltas = Readonly<Record<string, Delta>>;

/**
 * Checks the structure of a delta that was read from a journal, not the values in it.
 *
 * @throws HOLDFAST_CORRUPT when it is none.
 */
export function parseDelta(value: unknown): Delta {
  if (!isDelta(value)) throw corrupt('a delta');
  return value;
}

/**
 * Checks the structure of a record of deltas that was read from a journal.
 *
 * @throws HOLDFAST_CORRUPT when it is none.
 */
export function parseDeltas(value: unknown): Deltas {
  if (!isPlainObject(value) || !Object.values(value).every(isDelta)) throw corrupt('a change of a state');
  return value as Deltas;
}

function isDelta(value: unknown): value is Delta {
  return Array.isArray(value) && ((value.length === 1 && value[0] === '-') || isPart(value));
}

/** A delta of something inside a value: everything but "no value", which only a channel can have. */
function isPart(value: unknown): value is Delta {
  if (!Array.isArray(value)) return false;
  const [tag, first, second] = value as readonly unknown[];
  switch (tag) {
    case '=':
      return value.length === 2;
    case '+':
      return value.length === 2 && (Array.isArray(first) || typeof first === 'string');
    case '@':
      return value.length === 3 && Array.isArray(first) && first.every(isPut) && Array.isArray(second);
    case '~':
      return value.length === 2 && Array.isArray(first) && first.every(isRun);
    case 'o':
      return value.length === 3 && isPlainObject(first) && Object.values(first).every(isPart) && isNames(second);
    default:
      return false;
  }
}

function isPut(value: unknown): value is Put {
  return Array.isArray(value) && value.length === 2 && isCount(value[0]) && isPart(value[1]);
}

function isRun(value: unknown): value is Run {
  return (
    Array.isArray(value) && value.length === 3 && isCount(value[0]) && isCount(value[1]) && Array.isArray(value[2])
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function corrupt(what: string): Error {
  return holdfastError('HOLDFAST_CORRUPT', `A record does not hold ${what} where it has to: the journal is corrupt.`);
}
