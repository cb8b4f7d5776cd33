import { objectKind } from '../../value/codec/object-kind.ts';
import { mapEntries, setItems, setOwn } from '../../value/codec/special.ts';

/** Where in a value: keys, and indices of lists, Maps and Sets. */
export type Keys = readonly (string | number)[];

/**
 * The value with something else in some places. `replace` gives what is to stand at a place; what it gives back as it
 * was is looked into. What has not changed is the same, not a copy.
 */
export function mapValue(place: Keys, value: unknown, replace: (keys: Keys, value: unknown) => unknown): unknown {
  const given = replace(place, value);
  if (!Object.is(given, value) || typeof value !== 'object' || value === null) return given;
  const inside = (key: string | number, item: unknown): unknown => mapValue([...place, key], item, replace);
  switch (objectKind(value)) {
    case 'object':
      return mapObject(value as Readonly<Record<string, unknown>>, inside);
    case 'array':
      return mapList(value as readonly unknown[], inside, (items) => items);
    case 'set':
      return mapList([...setItems(value as ReadonlySet<unknown>)], inside, (items) => new Set(items), value);
    case 'map':
      return mapMap(value as ReadonlyMap<unknown, unknown>, inside);
    default:
      return value;
  }
}

type Inside = (key: string | number, item: unknown) => unknown;

function mapObject(object: Readonly<Record<string, unknown>>, inside: Inside): unknown {
  const made: Record<string, unknown> = {};
  let isSame = true;
  for (const key of Object.keys(object)) {
    const item = inside(key, object[key]);
    isSame &&= Object.is(item, object[key]);
    setOwn(made, key, item);
  }
  return isSame ? object : made;
}

function mapList(
  items: readonly unknown[],
  inside: Inside,
  make: (items: readonly unknown[]) => unknown,
  same: unknown = items,
): unknown {
  const made = items.map((item, at) => inside(at, item));
  return made.every((item, at) => Object.is(item, items[at])) ? same : make(made);
}

/** By the key where that is a text or a number, as people think of it; otherwise by the entry's index. */
function mapMap(map: ReadonlyMap<unknown, unknown>, inside: Inside): unknown {
  const entries = [...mapEntries(map)];
  const made = entries.map(([key, item], at): [unknown, unknown] => {
    const name = typeof key === 'string' || typeof key === 'number' ? key : at;
    return [key, inside(name, item)];
  });
  return made.every(([, item], at) => Object.is(item, entries[at]?.[1])) ? map : new Map(made);
}
