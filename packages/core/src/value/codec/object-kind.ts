import { isDate, isMap, isProxy, isSet, isUint8Array } from 'node:util/types';

/** The kinds of objects that can be stored. */
export type ObjectKind = 'object' | 'array' | 'date' | 'map' | 'set' | 'bytes';

const { getPrototypeOf, hasOwn } = Object;
const { isArray } = Array;

/**
 * The kind of a storable object; undefined for anything else.
 *
 * Proxies are not storable: inspecting one would run its traps, which are user code. Objects of another realm (a `vm`
 * context, as in test runners) are, because `fetch` and `fs` return such objects there.
 */
export function objectKind(value: object): ObjectKind | undefined {
  if (isProxy(value)) return undefined;
  const prototype: unknown = getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return 'object';
  if (isArray(value)) return prototype === Array.prototype || isArrayPrototype(prototype) ? 'array' : undefined;
  if (isUint8Array(value)) return isBytesPrototype(prototype) ? 'bytes' : undefined;
  const levels = levelsAbove(prototype);
  if (levels === 0) return hasOwn(prototype as object, 'hasOwnProperty') ? 'object' : undefined;
  // A subclass has one more level; `Object.create(Date.prototype)` has no internal slots.
  if (levels !== 1) return undefined;
  if (isDate(value)) return 'date';
  if (isMap(value)) return 'map';
  return isSet(value) ? 'set' : undefined;
}

/** In every realm, `Array.prototype` is itself an array. The prototype of a subclass is not. */
function isArrayPrototype(prototype: unknown): boolean {
  return isArray(prototype) && !isProxy(prototype) && levelsAbove(prototype) === 1;
}

/** In every realm, a Uint8Array has two prototypes above its own. A Node Buffer has three. */
function isBytesPrototype(prototype: unknown): boolean {
  return prototype === Uint8Array.prototype || prototype === Buffer.prototype || levelsAbove(prototype) === 2;
}

/** How many prototypes are above this one, up to 3; -1 if one of them is a proxy, so that no trap runs. */
function levelsAbove(prototype: unknown): number {
  let above: unknown = prototype;
  for (let levels = 0; levels < 3; levels++) {
    if (isProxy(above)) return -1;
    above = getPrototypeOf(above);
    if (above === null) return levels;
  }
  return 3;
}
