import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../async/awaitable.ts';
import { readCell } from '../delta/cell.ts';
import type { Delta } from '../delta/delta.ts';
import { diffValues } from '../delta/diff-values.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { setOwn } from '../value/codec/special.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { type Channel, defineChannel, type Write } from './definition.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { type In, isSchema, type Out } from './standard-schema.ts';
import { channelCopy, invalidValue, otherKind } from './update/channel-error.ts';
import { checkAll } from './update/check-all.ts';
import { checkWrite } from './update/check-write.ts';
import { hasReplace, mergeValues } from './update/merge-values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A write in a form that can be stored, since undefined keys would be lost. */
interface MapWrite {
  readonly set: Fields;
  readonly remove: readonly string[];
}

/**
 * Merges keys, one level deep. A key set to undefined is removed.
 *
 * @example
 * ```ts
 * graph('trip', { state: { prices: map<number>() } }).node('ask', () => ({ prices: { klm: 120, tap: undefined } }));
 * ```
 */
export function map<T>(): Channel<Readonly<Record<string, T>>, Readonly<Record<string, T | undefined>>>;
/**
 * The same, and validates every value.
 *
 * ```ts
 * map(z.number()) // { apples: 3, pears: undefined } sets one key and removes another
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function map<S extends StandardSchemaV1>(
  value: S,
): Channel<Readonly<Record<string, Out<S>>>, Readonly<Record<string, In<S> | undefined>>>;
export function map(schema?: StandardSchemaV1): Channel<Readonly<Record<string, unknown>>, unknown> {
  if (schema !== undefined && !isSchema(schema)) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'map(): the value type must be a Standard Schema.');
  }
  const check = schema === undefined ? fieldsOf : checkedFields(schema);
  return defineChannel({
    initial: () => ({}),
    completesInput: false,
    ...(schema !== undefined && { updateSchema: () => fieldsSchema(jsonSchemaOf(schema)) }),
    prepare: (name, value) => {
      const set = check(name, value);
      return set instanceof Promise ? set.then((fields) => written(value, fields)) : written(value, set);
    },
    prepareReplace: check,
    merge: (name, cell, writes) => {
      const before = readCell(cell);
      if (!isPlainObject(before)) throw otherKind(name, 'a map');
      if (hasReplace(writes))
        return mergeValues(cell, writes, (previous, next) => merged(previous as Fields, next as MapWrite));
      return changedKeys(before, writes);
    },
  });
}

function written(value: unknown, set: Fields): MapWrite {
  const remove = Object.keys(value as object).filter((key) => !Object.hasOwn(set, key));
  return frozenCopy({ set, remove });
}

function fieldsSchema(value: unknown): unknown {
  return value === undefined ? undefined : { type: 'object', additionalProperties: value };
}

/** Checks the value of every key that is set. */
function checkedFields(schema: StandardSchemaV1): (channel: string, value: unknown) => Awaitable<Fields> {
  return (channel, value) => {
    const names = Object.keys(fieldsOf(channel, value));
    const given = value as Fields;
    const checked = checkAll(names, (name) => checkWrite(schema, { channel, keys: [name] }, given[name]));
    return checked instanceof Promise ? checked.then((values) => together(names, values)) : together(names, checked);
  };
}

function together(names: readonly string[], values: readonly unknown[]): Fields {
  const fields: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) setOwn(fields, name, values[at]);
  return frozenCopy(fields);
}

function fieldsOf(channel: string, value: unknown): Fields {
  const place = { channel, keys: [] };
  if (typeof value !== 'object' || value === null) throw invalidValue(place, 'accepts only an object');
  const copy: unknown = channelCopy(place, value);
  if (!isPlainObject(copy)) throw invalidValue(place, 'accepts only a plain object');
  return copy;
}

function merged(previous: Fields, { set, remove }: MapWrite): Fields {
  const removed = new Set(remove);
  const kept = Object.entries(previous).filter(([key]) => !removed.has(key));
  return frozenCopy({ ...Object.fromEntries(kept), ...set });
}

/** Reads only the keys that were written. */
function changedKeys(before: Fields, writes: readonly Write[]): Delta | undefined {
  const last = new Map<string, unknown>();
  for (const [, next] of writes) {
    const { set, remove } = next as MapWrite;
    for (const key of Object.keys(set)) last.set(key, set[key]);
    for (const key of remove) last.set(key, undefined);
  }
  const changes: Record<string, Delta> = {};
  const removed: string[] = [];
  let count = 0;
  for (const [key, value] of last) {
    const delta = diffValues(Object.hasOwn(before, key) ? before[key] : undefined, value);
    if (delta === undefined) continue;
    count += 1;
    if (value === undefined) removed.push(key);
    else setOwn(changes, key, delta);
  }
  return count === 0 ? undefined : ['o', changes, removed];
}
