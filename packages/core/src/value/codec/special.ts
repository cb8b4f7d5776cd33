// The built-in methods as they are, because an object may carry others of the same names.
const { entries } = Map.prototype;
const { values } = Set.prototype;
const { getTime } = Date.prototype;

/** The entries of a Map in their order. */
export function mapEntries<K, V>(map: ReadonlyMap<K, V>): IterableIterator<[K, V]> {
  return entries.call(map) as IterableIterator<[K, V]>;
}

/** The items of a Set in their order. */
export function setItems<T>(set: ReadonlySet<T>): IterableIterator<T> {
  return values.call(set) as IterableIterator<T>;
}

/** The milliseconds of a Date; NaN for an invalid one. */
export function dateMs(date: Date): number {
  return getTime.call(date);
}

/** Whether a number is none that JSON has. */
export function isSpecialNumber(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0);
}

/** What a tag adds at the least to the size of a text; a lower bound must never be more than the truth. */
export const tagSize = {
  undefined: 19,
  bigint: 14,
  date: 14,
  bytes: 13,
  map: 10,
  mapEntry: 2,
  set: 9,
  setItem: 1,
  escape: 1,
} as const;

/** The size of bytes in a text. */
export function bytesSize(bytes: Uint8Array): number {
  return tagSize.bytes + Math.ceil(bytes.byteLength / 3) * 4;
}

/** A lower bound of the digits of a bigint. Those of the hexadecimal text are found in linear time, the decimal ones are not. */
export function bigintSize(value: bigint): number {
  return BigInt.asIntN(64, value) === value ? 1 : value.toString(16).length;
}

/** Whether an object with this key alone could be taken for one of our tags. */
export function isTagLike(key: string): boolean {
  return key.charCodeAt(0) === 36;
}

/** Sets an own property whatever its name: plain assignment of `__proto__` would change what the object inherits. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
