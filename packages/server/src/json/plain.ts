import { HoldfastError } from 'holdfast';

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A stored value as plain JSON. Dates, bigints, NaN and the infinities become text, maps become pairs, sets become lists,
 * and bytes become base64. No type of ours is ever encoded in it, in neither direction.
 */
export function plain(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : plainObject(value);
    case 'undefined':
    case 'function':
    case 'symbol':
      return null;
  }
}

function plainObject(value: object): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Error) return plain(errorJson(value));
  if (value instanceof Map) return Array.from(value, ([key, each]) => [plain(key), plain(each)]);
  if (value instanceof Set) return Array.from(value, plain);
  if (Array.isArray(value)) return value.map(plain);
  // Object.fromEntries keeps a key named __proto__.
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[key, plain(each)]])),
  );
}

/** An error without its stack. */
function errorJson(error: Error): unknown {
  if (HoldfastError.is(error)) return error.toJSON();
  const { name, message } = error;
  return { name, message };
}
