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
  return frozenCopyLike(value, undefined);
}

/**
 * The same, with the parts of an earlier copy that are equal: they are not made again, which is cheaper, and they can be
 * compared by reference.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function frozenCopyLike<T>(value: T, like: unknown): T {
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null) return value;
  const walk = new Walk(strictly);
  const made = copy(walk, value, '', like);
  walk.checkSize();
  return made as T;
}

/** Whether this is a frozen copy or a part of one. Bytes never are, because they cannot be frozen. */
export function isFrozenCopy(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ownFacts(value) !== undefined;
}

function copy(walk: Walk, value: unknown, key: PathKey, like?: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    walk.leaf(value, key);
    return value;
  }
  const facts = ownFacts(value);
  if (facts === undefined)
    return copyObject(walk, value, key, typeof like === 'object' && like !== null ? like : undefined);
  walk.pass(facts);
  return value;
}

function copyObject(walk: Walk, value: object, key: PathKey, like: object | undefined): unknown {
  const kind = objectKind(value);
  switch (kind) {
    case 'object': {
      const earlier = like !== undefined && objectKind(like) === kind ? (like as Fields) : undefined;
      return frozenContainer(walk, value as Fields, key, { make: copyPlain, earlier });
    }
    case 'array': {
      const earlier = Array.isArray(like) ? (like as readonly unknown[]) : undefined;
      return frozenContainer(walk, value as readonly unknown[], key, { make: copyArray, earlier });
    }
    case 'map':
      checkNoKeys(walk, value, key);
      return frozenContainer(walk, value as ReadonlyMap<unknown, unknown>, key, { make: copyMap });
    case 'set':
      checkNoKeys(walk, value, key);
      return frozenContainer(walk, value as ReadonlySet<unknown>, key, { make: copySet });
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

type Fields = Readonly<Record<string, unknown>>;

/** Returns the earlier copy itself if all is the same; nothing is made before the first difference. */
function copyPlain(walk: Walk, object: Fields, earlier: Fields | undefined): object {
  let made: Record<string, unknown> | undefined = earlier === undefined ? {} : undefined;
  let count = 0;
  let tagLike = false;
  const keys = dataKeys(walk, object);
  walk.count(keys.length);
  for (const key of keys) {
    const value = dataValue(walk, object, key);
    if (value === undefined) continue;
    tagLike ||= isTagLike(key);
    walk.key(key);
    const before = earlier !== undefined && Object.hasOwn(earlier, key) ? earlier[key] : undefined;
    const item = copy(walk, value, key, before);
    if (made === undefined && !Object.is(item, before)) made = firstFields(walk, object, earlier as Fields, count);
    if (made !== undefined) setOwn(made, key, item);
    count += 1;
  }
  // Keys without a value are left out.
  if (count === 0 && keys.length > 0) walk.size += 1;
  if (tagLike && count === 1) walk.tag(tagSize.escape);
  if (made !== undefined) return made;
  const isSame = Object.keys(earlier as Fields).length === count;
  return isSame ? (earlier as Fields) : firstFields(walk, object, earlier as Fields, count);
}

/** A new object with the first fields of this one that have a value; they equal those of the earlier one. */
function firstFields(walk: Walk, object: Fields, earlier: Fields, count: number): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  let left = count;
  for (const key of dataKeys(walk, object)) {
    if (left === 0) break;
    if (dataValue(walk, object, key) === undefined) continue;
    setOwn(made, key, earlier[key]);
    left -= 1;
  }
  return made;
}

/** Returns the earlier copy itself if all is the same. */
function copyArray(walk: Walk, array: readonly unknown[], earlier: readonly unknown[] | undefined): object {
  checkArrayKeys(walk, array);
  const { length } = array;
  walk.count(length);
  const made: unknown[] = [];
  let isSame = earlier?.length === length;
  for (let index = 0; index < length; index++) {
    const before = earlier?.[index];
    const item = copy(walk, dataElement(walk, array, index), index, before);
    isSame &&= Object.is(item, before);
    made.push(item);
  }
  walk.size += length;
  return isSame && earlier !== undefined ? earlier : made;
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
