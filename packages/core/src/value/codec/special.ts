// Call the built-in methods directly, because an object may override them.
const { entries } = Map.prototype;
const { values } = Set.prototype;
const { getTime } = Date.prototype;
const sizeOfMap = sizeOf(Map.prototype);
const sizeOfSet = sizeOf(Set.prototype);

function sizeOf(prototype: object): () => number {
  return Object.getOwnPropertyDescriptor(prototype, 'size')?.get as () => number;
}

/** The entries of a Map in their order. */
export function mapEntries<K, V>(map: ReadonlyMap<K, V>): IterableIterator<[K, V]> {
  return entries.call(map) as IterableIterator<[K, V]>;
}

/** The items of a Set in their order. */
export function setItems<T>(set: ReadonlySet<T>): IterableIterator<T> {
  return values.call(set) as IterableIterator<T>;
}

/** How many entries a Map has. */
export function mapSize(map: ReadonlyMap<unknown, unknown>): number {
  return sizeOfMap.call(map);
}

/** How many items a Set has. */
export function setSize(set: ReadonlySet<unknown>): number {
  return sizeOfSet.call(set);
}

/** The milliseconds of a Date; NaN for an invalid one. */
export function dateMs(date: Date): number {
  return getTime.call(date);
}

/** Whether JSON cannot represent a number. */
export function isSpecialNumber(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0);
}

/** The size of a tag around its content, without the byte that every container counts when it is left. */
export const tagSize = {
  undefined: 19,
  number: 14,
  bigint: 14,
  bytes: 13,
  map: 9,
  mapEntry: 3,
  set: 9,
  setItem: 1,
  escape: 1,
} as const;

/** A number that JSON lacks, as text. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The size of bytes in base64. */
export function bytesSize(bytes: Uint8Array): number {
  return tagSize.bytes + Math.ceil(bytes.byteLength / 3) * 4;
}

/** The size of a tagged date: null if it is invalid, and three characters more for a year that needs a sign. */
export function dateSize(ms: number): number {
  if (Number.isNaN(ms)) return 14;
  return ms >= firstPlainMs && ms <= lastPlainMs ? 36 : 39;
}

const firstPlainMs = Date.UTC(2000, 0, 1) - 730_485 * 86_400_000;
const lastPlainMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The most digits of a bigint: their conversion is not linear, so a few megabytes of them would take seconds. */
export const maxDigits = 10_000;
const firstTooLong = 10n ** BigInt(maxDigits);

/** Whether a bigint has more digits than that. A comparison looks at the length first. */
export function isTooLong(value: bigint): boolean {
  return value >= firstTooLong || value <= -firstTooLong;
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
