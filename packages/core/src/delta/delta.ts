import { holdfastError } from '../errors/holdfast-error.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';

/** Copies `count` items of the old list, starting at `from`, then adds `items`. */
export type Run = readonly [from: number, count: number, items: readonly unknown[]];

/** Changes the item at `index`. */
export type Put = readonly [index: number, delta: Delta];

/** A key of a Map, or an item of a Set, that a change can name. */
export type MapKey = string | number;

/** Changes the entry with this key, or adds it at the end. */
export type MapPut = readonly [key: MapKey, delta: Delta];

/**
 * The change from one value of a channel to the next. Plain data, applied without user code.
 *
 * - `['=', value]`: replaces the value.
 * - `['-']`: removes the value; only for a whole channel.
 * - `['+', items]`: appends items to a list, or text to a text.
 * - `['@', puts, items]`: changes items of a list in place, then appends items.
 * - `['~', runs]`: builds a list from runs of the old one and new items.
 * - `['o', changes, removed]`: changes, adds or removes keys of an object.
 * - `['m', puts, removed]`: removes entries of a Map, changes others where they are, then adds new ones.
 * - `['s', added, removed]`: removes items of a Set, then adds others.
 *
 * @example
 * ```ts
 * const append: Delta = ['+', ['TAP 77']];
 * ```
 */
export type Delta =
  | readonly ['=', unknown]
  | readonly ['-']
  | readonly ['+', readonly unknown[] | string]
  | readonly ['@', readonly Put[], readonly unknown[]]
  | readonly ['~', readonly Run[]]
  | readonly ['o', Deltas, readonly string[]]
  | readonly ['m', readonly MapPut[], readonly MapKey[]]
  | readonly ['s', readonly MapKey[], readonly MapKey[]];

/**
 * One delta per key of an object, or per channel of a state. Read own keys only: a key may be `__proto__`.
 *
 * @example
 * ```ts
 * const change: Deltas = { stage: ['=', 2], log: ['+', ['TAP 77']] };
 * await engine.checkpoints.save('trip', { base: 'trip@3', change });
 * ```
 */
export type Deltas = Readonly<Record<string, Delta>>;

/**
 * Checks the structure of a delta from a journal, not the values in it.
 *
 * @throws HOLDFAST_CORRUPT if it is not valid.
 */
export function parseDelta(value: unknown): Delta {
  if (!isDelta(value)) throw corrupt('a delta');
  return value;
}

/**
 * Checks the structure of a record of deltas from a journal.
 *
 * @throws HOLDFAST_CORRUPT if it is not valid.
 */
export function parseDeltas(value: unknown): Deltas {
  if (!isPlainObject(value) || !Object.values(value).every(isDelta)) throw corrupt('a valid state change');
  return value as Deltas;
}

function isDelta(value: unknown): value is Delta {
  return Array.isArray(value) && ((value.length === 1 && value[0] === '-') || isPart(value));
}

/** A delta inside a value: anything but "no value", which only a channel can have. */
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
    case 'm':
      return value.length === 3 && Array.isArray(first) && first.every(isMapPut) && areKeys(second);
    case 's':
      return value.length === 3 && areKeys(first) && areKeys(second);
    default:
      return false;
  }
}

function isPut(value: unknown): value is Put {
  return Array.isArray(value) && value.length === 2 && isCount(value[0]) && isPart(value[1]);
}

function isMapPut(value: unknown): value is MapPut {
  return Array.isArray(value) && value.length === 2 && isMapKey(value[0]) && isPart(value[1]);
}

/** Texts and numbers: other keys have no name in a pointer, or are compared by reference. */
export function isMapKey(value: unknown): value is MapKey {
  return typeof value === 'string' || typeof value === 'number';
}

function areKeys(value: unknown): value is readonly MapKey[] {
  return Array.isArray(value) && value.every(isMapKey);
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
  return holdfastError(
    'HOLDFAST_CORRUPT',
    `The journal is corrupt: a record does not contain ${what}. Restore it from a backup.`,
  );
}
