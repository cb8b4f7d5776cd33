import { objectKind } from '../../../value/codec/object-kind.ts';
import { mapEntries, setItems, setOwn } from '../../../value/codec/special.ts';

/** A place in a value: object keys, and indices of arrays, Maps and Sets. */
export type Keys = readonly (string | number)[];

/**
 * Replaces values at some places. `replace` returns the new value for a place; if it returns the same value, the values
 * inside are replaced in turn. Unchanged values are returned as they are, not copied.
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

/** Entries are named by their key if it is a string or a number, otherwise by their index. */
function mapMap(map: ReadonlyMap<unknown, unknown>, inside: Inside): unknown {
  const entries = [...mapEntries(map)];
  const made = entries.map(([key, item], at): [unknown, unknown] => {
    const name = typeof key === 'string' || typeof key === 'number' ? key : at;
    return [key, inside(name, item)];
  });
  return made.every(([, item], at) => Object.is(item, entries[at]?.[1])) ? map : new Map(made);
}
