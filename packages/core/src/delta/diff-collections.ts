import type { Delta, MapKey, MapPut } from './delta.ts';
import { isMapKey } from './delta.ts';
import { weigh } from './weigh.ts';

/** A delta and its approximate size in bytes. */
export interface Change {
  readonly delta: Delta;
  readonly weight: number;
}

/** The size of the brackets, the tag and the key of one more delta. */
export const overhead = 8;

/** A change of `null` cannot be told: keys that no delta can name, or entries in another order. Undefined: they are equal. */
export type Told = Change | null | undefined;

type Changing = (before: unknown, after: unknown) => Change | undefined;

/** What turns one Map into another: changed entries stay where they are, and new ones come last. */
export function diffMaps(
  before: ReadonlyMap<unknown, unknown>,
  after: ReadonlyMap<unknown, unknown>,
  diff: Changing,
): Told {
  const removed = droppedKeys(before.keys(), after);
  if (removed === null) return null;
  const puts: MapPut[] = [];
  let weight = weighKeys(removed);
  for (const [key, item] of after) {
    if (!isMapKey(key)) return null;
    const change: Change | undefined = before.has(key)
      ? diff(before.get(key), item)
      : { delta: ['=', item], weight: weigh(item) + overhead };
    if (change === undefined) continue;
    puts.push([key, change.delta]);
    weight += weigh(key) + overhead + change.weight;
  }
  return weight === 0 ? undefined : { delta: ['m', puts, removed], weight: weight + overhead };
}

/** What turns one Set into another: new items come last. */
export function diffSets(before: ReadonlySet<unknown>, after: ReadonlySet<unknown>): Told {
  const removed = droppedKeys(before, after);
  if (removed === null) return null;
  const added: MapKey[] = [];
  for (const item of after) {
    if (!isMapKey(item)) return null;
    if (!before.has(item)) added.push(item);
  }
  const weight = weighKeys(removed) + weighKeys(added);
  return weight === 0 ? undefined : { delta: ['s', added, removed], weight: weight + overhead };
}

/** The keys that are gone. Null if one cannot be named, or if those that stay are not the first ones in the same order. */
function droppedKeys(
  before: Iterable<unknown>,
  after: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>,
): readonly MapKey[] | null {
  const order = after.keys();
  const removed: MapKey[] = [];
  for (const key of before) {
    if (!isMapKey(key)) return null;
    if (!after.has(key)) removed.push(key);
    else if (!Object.is(order.next().value, key)) return null;
  }
  return removed;
}

function weighKeys(keys: readonly MapKey[]): number {
  return keys.reduce<number>((sum, key) => sum + weigh(key) + overhead, 0);
}
