import { objectKind } from '../codec/object-kind.ts';
import { checkArrayKeys, checkNoKeys, dataElement, dataKeys, dataValue } from '../codec/own-data.ts';
import {
  bytesSize,
  dateMs,
  isTagLike,
  mapEntries,
  mapSize,
  setItems,
  setOwn,
  setSize,
  tagSize,
} from '../codec/special.ts';
import { type PathKey, strictly, Walk } from '../codec/walk.ts';
import { frozenContainer, frozenDate } from './frozen-container.ts';
import { ownFacts } from './own.ts';
import { readOnlyMap, readOnlySet } from './read-only.ts';

/**
 * A deep, immutable copy of what the codec keeps: prototypes are normalised and undefined keys are dropped. The original is
 * neither frozen nor changed, and none of its code runs. Frozen copies, or parts of them, are not copied again, so the cost
 * depends only on what is new.
 *
 * Bytes cannot be frozen, so they are copied each time.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null) return value;
  const walk = new Walk(strictly);
  const made = copy(walk, value, '');
  walk.checkSize();
  return made as T;
}

/** Whether this is a frozen copy or a part of one. Bytes never are, because they cannot be frozen. */
export function isFrozenCopy(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ownFacts(value) !== undefined;
}

function copy(walk: Walk, value: unknown, key: PathKey): unknown {
  if (typeof value !== 'object' || value === null) {
    walk.leaf(value, key);
    return value;
  }
  const facts = ownFacts(value);
  if (facts === undefined) return copyObject(walk, value, key);
  walk.pass(facts);
  return value;
}

function copyObject(walk: Walk, value: object, key: PathKey): unknown {
  const kind = objectKind(value);
  switch (kind) {
    case 'object':
      return frozenContainer(walk, value, key, copyPlain);
    case 'array':
      return frozenContainer(walk, value as readonly unknown[], key, copyArray);
    case 'map':
      checkNoKeys(walk, value, key);
      return frozenContainer(walk, value as ReadonlyMap<unknown, unknown>, key, copyMap);
    case 'set':
      checkNoKeys(walk, value, key);
      return frozenContainer(walk, value as ReadonlySet<unknown>, key, copySet);
    case 'date':
      checkNoKeys(walk, value, key);
      return frozenDate(walk, new Date(dateMs(value as Date)));
    case 'bytes':
      walk.tag(bytesSize(value as Uint8Array));
      return new Uint8Array(value as Uint8Array);
    default:
      throw walk.refuse(value, key);
  }
}

function copyPlain(walk: Walk, object: object): object {
  const made: Record<string, unknown> = {};
  let count = 0;
  let tagLike = false;
  const keys = dataKeys(walk, object);
  walk.count(keys.length);
  for (const key of keys) {
    const value = dataValue(walk, object, key);
    if (value === undefined) continue;
    count += 1;
    tagLike ||= isTagLike(key);
    walk.key(key);
    setOwn(made, key, copy(walk, value, key));
  }
  // Keys without a value are left out.
  if (count === 0 && keys.length > 0) walk.size += 1;
  if (tagLike && count === 1) walk.tag(tagSize.escape);
  return made;
}

function copyArray(walk: Walk, array: readonly unknown[]): object {
  checkArrayKeys(walk, array);
  const { length } = array;
  walk.count(length);
  const made: unknown[] = [];
  for (let index = 0; index < length; index++) made.push(copy(walk, dataElement(walk, array, index), index));
  walk.size += length;
  return made;
}

function copyMap(walk: Walk, map: ReadonlyMap<unknown, unknown>): object {
  const made = new Map<unknown, unknown>();
  let index = 0;
  walk.count(mapSize(map) * 2);
  for (const entry of mapEntries(map)) {
    walk.enter(entry, index++);
    made.set(copy(walk, entry[0], 0), copy(walk, entry[1], 1));
    walk.leave();
  }
  walk.tag(tagSize.map + index * tagSize.mapEntry);
  return readOnlyMap(made);
}

function copySet(walk: Walk, set: ReadonlySet<unknown>): object {
  const made = new Set<unknown>();
  let index = 0;
  walk.count(setSize(set));
  for (const item of setItems(set)) made.add(copy(walk, item, index++));
  walk.tag(tagSize.set + index * tagSize.setItem);
  return readOnlySet(made);
}
