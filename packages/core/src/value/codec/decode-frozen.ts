import { frozenContainer, frozenDate } from '../frozen/frozen-container.ts';
import { readOnlyMap, readOnlySet } from '../frozen/read-only.ts';
import { decodeValue } from './codec.ts';
import { bytesSize, isTagLike, tagSize } from './special.ts';
import { trustingly, Walk } from './walk.ts';

/**
 * Like a frozen copy of the result of `decodeValue`, but freezes in place: nothing else refers to a value just decoded.
 *
 * @throws HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_CORRUPT, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function decodeFrozen(text: string): unknown {
  const value = decodeValue(text);
  freeze(new Walk(trustingly), value);
  return value;
}

function freeze(walk: Walk, value: unknown): void {
  if (typeof value !== 'object' || value === null) walk.leaf(value, '');
  else if (Array.isArray(value)) frozenContainer(walk, value, '', freezeArray);
  else if (value instanceof Date) frozenDate(walk, value);
  else if (value instanceof Map) frozenContainer(walk, value, '', freezeMap);
  else if (value instanceof Set) frozenContainer(walk, value, '', freezeSet);
  else if (value instanceof Uint8Array) walk.tag(bytesSize(value));
  else frozenContainer(walk, value as Record<string, unknown>, '', freezePlain);
}

function freezePlain(walk: Walk, object: Record<string, unknown>): object {
  const keys = Object.keys(object);
  for (const key of keys) {
    walk.size += key.length + 3;
    freeze(walk, object[key]);
  }
  if (keys.length === 1 && isTagLike(keys[0] as string)) walk.tag(tagSize.escape);
  return object;
}

function freezeArray(walk: Walk, array: readonly unknown[]): object {
  for (const item of array) freeze(walk, item);
  walk.size += array.length;
  return array;
}

function freezeMap(walk: Walk, map: Map<unknown, unknown>): object {
  for (const entry of map) {
    walk.enter(entry, '');
    entry.forEach((part) => {
      freeze(walk, part);
    });
    walk.leave();
  }
  walk.tag(tagSize.map + map.size * tagSize.mapEntry);
  return readOnlyMap(map);
}

function freezeSet(walk: Walk, set: Set<unknown>): object {
  for (const item of set) freeze(walk, item);
  walk.tag(tagSize.set + set.size * tagSize.setItem);
  return readOnlySet(set);
}
