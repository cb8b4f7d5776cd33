import { ownFacts } from '../value/frozen/own.ts';

/** The approximate stored size of a value in bytes. Free for a frozen copy, which knows its size. */
export function weigh(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2;
    case 'number':
    case 'bigint':
      return String(value).length;
    case 'object':
      return value === null ? 4 : (ownFacts(value)?.size ?? weighContainer(value));
    default:
      return 5;
  }
}

/** Bytes, and arrays created by a vector, are not marked as frozen copies. */
function weighContainer(value: object): number {
  if (ArrayBuffer.isView(value)) return value.byteLength * 1.4;
  let weight = 2;
  if (Array.isArray(value)) for (const item of value) weight += weigh(item) + 1;
  else for (const [key, item] of Object.entries(value)) weight += weigh(item) + key.length + 4;
  return weight;
}
