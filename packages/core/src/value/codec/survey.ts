import { ownFacts } from '../frozen/own.ts';
import { type ObjectKind, objectKind } from './object-kind.ts';
import { checkArrayKeys, checkNoKeys, dataElement, dataKeys, dataValue } from './own-data.ts';
import { bytesSize, dateMs, dateSize, isTagLike, mapEntries, mapSize, setItems, setSize, tagSize } from './special.ts';
import { type PathKey, trustingly, Walk, type WalkOptions } from './walk.ts';

/**
 * Checks that a value can be stored, without running user code. Finds whether its JSON needs tags, and its size in bytes
 * (or a lower bound of it).
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function survey(value: unknown, options: WalkOptions): { readonly special: boolean; readonly size: number } {
  const walk = new Walk(options);
  visit(walk, value, '');
  walk.checkSize();
  return walk;
}

/** Whether Holdfast could write this around checked values: together they may be too large. */
export function isStorable(value: unknown): boolean {
  try {
    survey(value, { ...trustingly, exact: true });
    return true;
  } catch {
    // It throws nothing else than why it cannot be stored.
    return false;
  }
}

function visit(walk: Walk, value: unknown, key: PathKey): void {
  if (typeof value !== 'object' || value === null) {
    walk.leaf(value, key);
    return;
  }
  const facts = ownFacts(value);
  if (facts !== undefined) walk.pass(facts);
  else visitObject(walk, value, key);
}

function visitObject(walk: Walk, value: object, key: PathKey): void {
  const kind: ObjectKind | undefined = objectKind(value);
  switch (kind) {
    case 'object':
      walk.enter(value, key);
      visitPlain(walk, value);
      break;
    case 'array':
      walk.enter(value, key);
      visitArray(walk, value as readonly unknown[]);
      break;
    case 'map':
      checkNoKeys(walk, value, key);
      walk.enter(value, key);
      visitMap(walk, value as ReadonlyMap<unknown, unknown>);
      break;
    case 'set':
      checkNoKeys(walk, value, key);
      walk.enter(value, key);
      visitSet(walk, value as ReadonlySet<unknown>);
      break;
    case 'date':
      checkNoKeys(walk, value, key);
      walk.tag(dateSize(dateMs(value as Date)));
      return;
    case 'bytes':
      walk.tag(bytesSize(value as Uint8Array));
      return;
    default:
      throw walk.refuse(value, key);
  }
  walk.leave();
}

function visitPlain(walk: Walk, object: object): void {
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
    visit(walk, value, key);
  }
  // Keys without a value are left out.
  if (count === 0 && keys.length > 0) walk.size += 1;
  if (tagLike && count === 1) walk.tag(tagSize.escape);
}

function visitArray(walk: Walk, array: readonly unknown[]): void {
  checkArrayKeys(walk, array);
  const { length } = array;
  walk.count(length);
  for (let index = 0; index < length; index++) visit(walk, dataElement(walk, array, index), index);
  walk.size += length;
}

function visitMap(walk: Walk, map: ReadonlyMap<unknown, unknown>): void {
  let index = 0;
  walk.count(mapSize(map) * 2);
  for (const entry of mapEntries(map)) {
    walk.enter(entry, index++);
    visit(walk, entry[0], 0);
    visit(walk, entry[1], 1);
    walk.leave();
  }
  walk.tag(tagSize.map + index * tagSize.mapEntry);
}

function visitSet(walk: Walk, set: ReadonlySet<unknown>): void {
  let index = 0;
  walk.count(setSize(set));
  for (const item of setItems(set)) visit(walk, item, index++);
  walk.tag(tagSize.set + index * tagSize.setItem);
}
