/**
 * A value as JSON can hold it, for people's scripts. What JSON lacks is told in its nearest words: dates and bigints as
 * text, maps as pairs, sets as lists, bytes as base64, NaN and the infinities as text. It is a view: exact copies are
 * what `export` gives.
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
  // A key named __proto__ is data like any other.
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainJson(each)]));
}

function plainError(error: Error): unknown {
  const code = 'code' in error ? { code: error.code } : {};
  const details = 'details' in error ? { details: plainJson(error.details) } : {};
  return { ...code, message: error.message, ...details };
}
