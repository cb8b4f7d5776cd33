/** Whether this is an object with options; untyped code passes anything. */
export function isOptions(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
