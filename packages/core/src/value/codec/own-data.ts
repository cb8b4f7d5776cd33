import { printable } from '../printable.ts';
import type { PathKey, Walk } from './walk.ts';

const { getOwnPropertyDescriptor, getOwnPropertySymbols, hasOwn, keys } = Object;
const isEnumerable = Object.prototype.propertyIsEnumerable;
/** Three times as fast as a descriptor, to detect accessors among the elements of an array. */
const lookupGetter = (Object.prototype as unknown as { __lookupGetter__(key: number): unknown }).__lookupGetter__;

/**
 * The enumerable keys of a plain object.
 *
 * @throws HOLDFAST_UNSERIALIZABLE for a symbol among the keys or a hidden `toJSON`.
 */
export function dataKeys(walk: Walk, object: object): readonly string[] {
  if (!walk.trusting) refuseOddKeys(walk, object);
  return keys(object);
}

/**
 * The value of a key, without running a getter.
 *
 * @throws HOLDFAST_UNSERIALIZABLE for an accessor.
 */
export function dataValue(walk: Walk, object: object, key: string): unknown {
  if (walk.trusting) return (object as Readonly<Record<string, unknown>>)[key];
  const descriptor = getOwnPropertyDescriptor(object, key) as PropertyDescriptor;
  if (descriptor.get !== undefined || descriptor.set !== undefined) throw walk.complain(accessor, key);
  return descriptor.value;
}

/**
 * The element of an array, without running a getter.
 *
 * @throws HOLDFAST_UNSERIALIZABLE for an accessor.
 */
export function dataElement(walk: Walk, array: readonly unknown[], index: number): unknown {
  if (walk.trusting) return array[index];
  if (lookupGetter.call(array, index) !== undefined) throw walk.complain(accessor, index);
  const value = array[index];
  if (value === undefined && getOwnPropertyDescriptor(array, index)?.set !== undefined) {
    throw walk.complain(accessor, index);
  }
  return value;
}

/**
 * Refuses an array that is more or less than its elements.
 *
 * @throws HOLDFAST_UNSERIALIZABLE for a hole, a property or a hidden `toJSON`.
 */
export function checkArrayKeys(walk: Walk, array: readonly unknown[]): void {
  if (walk.trusting) return;
  refuseOddKeys(walk, array);
  const found = keys(array);
  const { length } = array;
  // Indices come first and in order: if the last key is the last index, there are no holes and no other keys.
  if (found.length === length && (length === 0 || found[length - 1] === String(length - 1))) return;
  for (let index = 0; index < length; index++) {
    if (hasOwn(array, index) && isEnumerable.call(array, index)) continue;
    throw walk.complain({ what: 'is a hole in a sparse array', instead: 'Fill it with null or undefined' }, index);
  }
  throw walk.complain(
    { what: 'is a property of an array', instead: 'Store an object with the array and the property' },
    found[length] ?? '',
  );
}

/**
 * Refuses a Date, Map or Set with own properties, at this key of the walk's current container.
 *
 * @throws HOLDFAST_UNSERIALIZABLE
 */
export function checkNoKeys(walk: Walk, object: object, key: PathKey): void {
  const found = keys(object)[0] ?? enumerableSymbol(object);
  if (found === undefined) return;
  const what = `is a Date, Map or Set with the own property ${printable(String(found))}`;
  throw walk.complain({ what, instead: 'Store an object that contains both' }, key);
}

const accessor = { what: 'is a getter or setter', instead: 'Store the value it returns' };

/** JSON ignores non-enumerable properties, but calls a non-enumerable `toJSON`. */
function refuseOddKeys(walk: Walk, object: object): void {
  if (hasOwn(object, 'toJSON') && !isEnumerable.call(object, 'toJSON')) {
    throw walk.complain({ what: 'has a hidden toJSON', instead: 'Store the value it returns' });
  }
  const symbol = enumerableSymbol(object);
  if (symbol === undefined) return;
  const what = `has ${printable(String(symbol))} as a key`;
  throw walk.complain({ what, instead: 'Use strings as keys' });
}

function enumerableSymbol(object: object): symbol | undefined {
  const symbols = getOwnPropertySymbols(object);
  return symbols.length === 0 ? undefined : symbols.find((symbol) => isEnumerable.call(object, symbol));
}
