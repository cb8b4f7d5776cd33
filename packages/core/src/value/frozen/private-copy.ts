import { setOwn } from '../codec/special.ts';

/**
 * A deep copy of a frozen copy that may be changed, for the body of a node or workflow: its types say so, and nothing else sees
 * what it changes.
 */
export function privateCopy<T>(frozen: T): T {
  return (typeof frozen === 'object' && frozen !== null ? copyOf(frozen) : frozen) as T;
}

function copyOf(frozen: object): object {
  if (Array.isArray(frozen)) return (frozen as readonly unknown[]).map(privateCopy);
  if (frozen instanceof Date) return new Date(frozen);
  if (frozen instanceof Uint8Array) return new Uint8Array(frozen);
  if (frozen instanceof Map) return new Map(Array.from(frozen, privateCopy));
  if (frozen instanceof Set) return new Set(Array.from(frozen, privateCopy));
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(frozen)) setOwn(copy, key, privateCopy(value));
  return copy;
}
