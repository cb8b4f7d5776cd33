import { readCell } from '../delta/cell.ts';
import type { Delta } from '../delta/delta.ts';
import { diffValues } from '../delta/diff-values.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { setOwn } from '../value/codec/special.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { type Channel, defineChannel, type Write } from './definition.ts';
import { channelCopy, invalidValue, otherKind } from './update/channel-error.ts';
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
export function map<T>(): Channel<Readonly<Record<string, T>>, Readonly<Record<string, T | undefined>>> {
  return defineChannel({
    initial: () => ({}),
    completesInput: false,
    prepare: (name, value) => {
      const set = fieldsOf(name, value);
      const remove = Object.keys(value as object).filter((key) => !Object.hasOwn(set, key));
      return frozenCopy({ set, remove });
    },
    prepareReplace: fieldsOf,
    merge: (name, cell, writes) => {
      const before = readCell(cell);
      if (!isPlainObject(before)) throw otherKind(name, 'a map');
      if (hasReplace(writes))
        return mergeValues(cell, writes, (previous, next) => merged(previous as Fields, next as MapWrite));
      return changedKeys(before, writes);
    },
  });
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
