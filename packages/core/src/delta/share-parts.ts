import { encodeOwn } from '../value/codec/codec.ts';
import { objectKind } from '../value/codec/object-kind.ts';
import { setOwn } from '../value/codec/special.ts';
import { sameValue } from '../value/equal.ts';

type Fields = Readonly<Record<string, unknown>>;
type Entries = ReadonlyMap<unknown, unknown>;

/**
 * The second value, with every part that equals its counterpart in the first one replaced by that. Deltas compare parts by
 * reference: this gives the references back to a value that was copied, or read from somewhere else.
 *
 * Both must be frozen copies. New containers are not frozen, and nothing is copied that has not changed.
 */
export function shareParts(before: unknown, after: unknown): unknown {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return after;
  if (before === after) return after;
  const kind = objectKind(after);
  if (kind !== objectKind(before)) return after;
  if (kind === 'array') return shareItems(before as readonly unknown[], after as readonly unknown[]);
  if (kind === 'object') return shareFields(before as Fields, after as Fields);
  if (sameValue(before, after)) return before;
  return kind === 'map' ? shareEntries(before as Entries, after as Entries) : after;
}

function shareFields(before: Fields, after: Fields): Fields {
  const shared: Record<string, unknown> = {};
  const keys = Object.keys(after);
  let isBefore = keys.length === Object.keys(before).length;
  let isAfter = true;
  for (const key of keys) {
    const isOld = Object.hasOwn(before, key);
    const value = isOld ? shareParts(before[key], after[key]) : after[key];
    isBefore &&= isOld && Object.is(value, before[key]);
    isAfter &&= Object.is(value, after[key]);
    setOwn(shared, key, value);
  }
  return isBefore ? before : isAfter ? after : shared;
}

function shareEntries(before: Entries, after: Entries): Entries {
  const shared = new Map<unknown, unknown>();
  for (const [key, item] of after) shared.set(key, before.has(key) ? shareParts(before.get(key), item) : item);
  return shared;
}

function shareItems(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const shared: unknown[] = [];
  let kept = 0;
  let isAfter = true;
  for (const [index, item] of after.entries()) {
    const value = index < before.length ? shareParts(before[index], item) : item;
    if (index < before.length && Object.is(value, before[index])) kept += 1;
    isAfter &&= Object.is(value, item);
    shared.push(value);
  }
  if (kept === before.length && kept === after.length) return before;
  // Most items kept their place, or all old ones did.
  const isInPlace = kept === before.length || 2 * kept >= Math.min(before.length, after.length);
  if (!isInPlace) return moved(before, after, shared);
  return isAfter ? after : shared;
}

/** Items that were dropped or inserted move all that come after them: those are found by their text. */
function moved(before: readonly unknown[], after: readonly unknown[], shared: readonly unknown[]): readonly unknown[] {
  const places = new Map<string, unknown>();
  for (const item of before) if (isContainer(item)) places.set(encodeOwn(item), item);
  if (places.size === 0) return shared;
  return after.map((item, index) => (isContainer(item) ? (places.get(encodeOwn(item)) ?? shared[index]) : item));
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
