import type { brand } from './brand.ts';

/**
 * A value that replaces a channel's value and bypasses its reducer.
 *
 * @example
 * ```ts
 * const cleared: Replace<readonly string[]> = replace([]);
 * ```
 */
export interface Replace<Value> {
  readonly [brand]: { replace: Value };
}

class Replacement {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
    Object.freeze(this);
  }

  static is(value: unknown): value is Replacement {
    return typeof value === 'object' && value !== null && #value in value;
  }

  static value(replacement: Replacement): unknown {
    return replacement.#value;
  }
}

/**
 * In an update: sets the channel to this value and bypasses its reducer, for example to trim or reset a list.
 *
 * @example
 * ```ts
 * chat.node('compact', ({ state }) => ({ messages: replace(state.messages.slice(-50)) }));
 * ```
 */
export function replace<T>(value: T): Replace<T> {
  return new Replacement(value) as unknown as Replace<T>;
}

/** The value inside the result of `replace`, boxed; undefined for anything else. */
export function replacement(value: unknown): { readonly value: unknown } | undefined {
  return Replacement.is(value) ? { value: Replacement.value(value) } : undefined;
}
