import type { Keys } from './map-value.ts';

/** The keys of a pointer, in which `*` matches any. */
export type Pattern = readonly string[];

/** Replaces the value that a pointer matches. */
export const redacted = '[redacted]';

export function matches(pattern: Pattern, keys: Keys): boolean {
  return pattern.length === keys.length && pattern.every((key, at) => key === '*' || key === String(keys[at]));
}

/** Replaces what a pointer matches. */
export function replaceMatches(patterns: readonly Pattern[]): (keys: Keys, value: unknown) => unknown {
  return (keys, value) => (patterns.some((pattern) => matches(pattern, keys)) ? redacted : value);
}
