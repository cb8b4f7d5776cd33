/** A JSON pointer (RFC 6901) into a value; `''` is the value itself. */
export function jsonPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
