import { objectKind } from './codec/object-kind.ts';
import { dateMs, mapEntries, setItems } from './codec/special.ts';

type Plain = Readonly<Record<string, unknown>>;

/**
 * Whether two values would be stored the same, apart from the order of their keys. The order of Maps and Sets matters;
 * undefined keys do not. Shared parts are compared by reference.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const kind = objectKind(a);
  if (kind === undefined || kind !== objectKind(b)) return false;
  switch (kind) {
    case 'object':
      return sameObject(a as Plain, b as Plain);
    case 'array':
      return sameItems(a as readonly unknown[], b as readonly unknown[]);
    case 'date':
      return Object.is(dateMs(a as Date), dateMs(b as Date));
    case 'map':
      return sameItems(flat(a as ReadonlyMap<unknown, unknown>), flat(b as ReadonlyMap<unknown, unknown>));
    case 'set':
      return sameItems([...setItems(a as ReadonlySet<unknown>)], [...setItems(b as ReadonlySet<unknown>)]);
    case 'bytes':
      return Buffer.compare(a as Uint8Array, b as Uint8Array) === 0;
  }
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!sameValue(a[index], b[index])) return false;
  return true;
}

function sameObject(a: Plain, b: Plain): boolean {
  let count = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, key) || !sameValue(value, b[key])) return false;
    count += 1;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) count -= 1;
  return count === 0;
}

function flat(map: ReadonlyMap<unknown, unknown>): readonly unknown[] {
  return Array.from(mapEntries(map)).flat(1);
}
