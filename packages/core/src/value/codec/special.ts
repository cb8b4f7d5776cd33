// Call the built-in methods directly, because an object may override them.
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

/** Whether JSON cannot represent a number. */
export function isSpecialNumber(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0);
}

/** The minimum size of a tag. A lower bound must never exceed the real size. */
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

/** The size of bytes in base64. */
export function bytesSize(bytes: Uint8Array): number {
  return tagSize.bytes + Math.ceil(bytes.byteLength / 3) * 4;
}

/** A lower bound of the digits of a bigint. Counts hexadecimal digits, because decimal conversion is not linear. */
export function bigintSize(value: bigint): number {
  return BigInt.asIntN(64, value) === value ? 1 : value.toString(16).length;
}

/** Whether an object with only this key could be mistaken for one of our tags. */
export function isTagLike(key: string): boolean {
  return key.charCodeAt(0) === 36;
}

/** Sets an own property of any name. Assigning `__proto__` would change the prototype. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
