import { objectKind } from './object-kind.ts';
import { dateMs, isSpecialNumber, isTagLike, mapEntries, numberText, setItems, setOwn } from './special.ts';

type Tags = Readonly<Record<string, unknown>>;

/** How to convert values to JSON. */
export interface TagOptions {
  /** Sort the keys of objects, so that equal values give equal texts. */
  readonly sorted: boolean;
}

/**
 * Converts a surveyed value to one that JSON can represent. Anything that JSON lacks becomes an object with one key that
 * starts with `$`; a user's object that looks like such a tag gets one more `$`. Parts that need no change are shared.
 */
export function tagged(value: unknown, options: TagOptions): unknown {
  switch (typeof value) {
    case 'object':
      return value === null ? null : taggedObject(value, options);
    case 'number':
      return isSpecialNumber(value) ? { $number: numberText(value) } : value;
    case 'bigint':
      return { $bigint: String(value) };
    case 'undefined':
      return { $undefined: true };
    default:
      return value;
  }
}

function taggedObject(value: object, options: TagOptions): unknown {
  switch (objectKind(value)) {
    case 'array':
      return taggedItems(value as readonly unknown[], options);
    case 'date':
      return { $date: dateText(value as Date) };
    case 'map':
      return {
        $map: Array.from(mapEntries(value as ReadonlyMap<unknown, unknown>), (entry) => taggedItems(entry, options)),
      };
    case 'set':
      return { $set: taggedItems([...setItems(value as ReadonlySet<unknown>)], options) };
    case 'bytes':
      return { $bytes: bytesText(value as Uint8Array) };
    default:
      return taggedPlain(value as Tags, options);
  }
}

function taggedItems(items: readonly unknown[], options: TagOptions): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const next = tagged(item, options);
    if (next === item) continue;
    copy ??= items.slice();
    copy[index] = next;
  }
  return copy ?? items;
}

function taggedPlain(object: Tags, options: TagOptions): unknown {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  if (options.sorted) keys.sort();
  const [first] = keys;
  if (keys.length === 1 && first !== undefined && isTagLike(first))
    return { [`$${first}`]: tagged(object[first], options) };
  let changed = options.sorted;
  const values = keys.map((key) => {
    const next = tagged(object[key], options);
    changed ||= next !== object[key];
    return next;
  });
  if (!changed) return object;
  const copy: Record<string, unknown> = {};
  for (const [index, key] of keys.entries()) setOwn(copy, key, values[index]);
  return copy;
}

/** Null for an invalid date. */
function dateText(date: Date): string | null {
  const ms = dateMs(date);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function bytesText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
