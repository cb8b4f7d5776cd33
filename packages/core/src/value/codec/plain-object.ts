import { objectKind } from './object-kind.ts';

/** Whether this is a plain object: not an array, not an instance of a class, not a proxy. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && objectKind(value) === 'object';
}
