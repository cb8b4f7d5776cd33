/**
 * Converts a value to plain JSON for scripts. Dates, bigints, NaN and the infinities become text, maps become pairs, sets
 * become lists, and bytes become base64. The conversion loses types; `export` does not.
 */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Error) return plainError(value);
  if (value instanceof Map) return [...value].map((pair) => pair.map(plainJson));
  if (value instanceof Set) return [...value].map(plainJson);
  if (Array.isArray(value)) return value.map(plainJson);
  // Object.fromEntries keeps a key named __proto__.
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainJson(each)]));
}

/** A chain of causes can be cyclic. */
const maxCauses = 8;

function plainError(error: Error, depth = 0): unknown {
  const code = 'code' in error ? { code: error.code } : {};
  const details = 'details' in error ? { details: plainJson(error.details) } : {};
  const { message, cause } = error;
  if (cause === undefined || depth === maxCauses) return { ...code, message, ...details };
  const inner = cause instanceof Error ? plainError(cause, depth + 1) : plainJson(cause);
  return { ...code, message, ...details, cause: inner };
}
