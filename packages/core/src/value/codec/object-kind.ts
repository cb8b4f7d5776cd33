import { isDate, isMap, isProxy, isSet, isUint8Array } from 'node:util/types';

/** The kinds of objects that can be stored. */
export type ObjectKind = 'object' | 'array' | 'date' | 'map' | 'set' | 'bytes';

const { getPrototypeOf, hasOwn } = Object;
const { isArray } = Array;

/**
 * Tells which kind of storable object this is; undefined for anything else.
 *
 * A proxy is none: looking at it would run its traps, that is, somebody's code. Objects of another realm (a `vm`
 * context, as in test runners) count: `fetch` and `fs` give such objects there.
 */
export function objectKind(value: object): ObjectKind | undefined {
  if (isProxy(value)) return undefined;
  const prototype: unknown = getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return 'object';
  if (isArray(value)) return prototype === Array.prototype || isArrayPrototype(prototype) ? 'array' : undefined;
  if (isUint8Array(value)) return isBytesPrototype(prototype) ? 'bytes' : undefined;
  const levels = levelsAbove(prototype);
  if (levels === 0) return hasOwn(prototype as object, 'hasOwnProperty') ? 'object' : undefined;
  // A subclass has one level more, a bare `Object.create(Date.prototype)` lacks what makes a date.
  if (levels !== 1) return undefined;
  if (isDate(value)) return 'date';
  if (isMap(value)) return 'map';
  return isSet(value) ? 'set' : undefined;
}

/** The prototype of arrays is, in every realm, itself an array; that of a subclass is not. */
function isArrayPrototype(prototype: unknown): boolean {
  return isArray(prototype) && !isProxy(prototype) && levelsAbove(prototype) === 1;
}

/** Above the bytes of any realm stand its typed arrays and its objects; a Node buffer has one level more. */
function isBytesPrototype(prototype: unknown): boolean {
  return prototype === Uint8Array.prototype || prototype === Buffer.prototype || levelsAbove(prototype) === 2;
}

/** How many prototypes stand above this one, up to 3; -1 if one of them is a proxy, so that no trap is run. */
function levelsAbove(prototype: unknown): number {
  let above: unknown = prototype;
  for (let levels = 0; levels < 3; levels++) {
    if (isProxy(above)) return -1;
    above = getPrototypeOf(above);
    if (above === null) return levels;
  }
  return 3;
}
