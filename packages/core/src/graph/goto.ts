import type { brand } from '../channel/brand.ts';

/**
 * The result of a node: an update and the next node.
 *
 * @example
 * ```ts
 * const end: Goto<'end', { log: string }> = goto('end', { log: 'done' });
 * ```
 */
export interface Goto<N extends string, U> {
  readonly [brand]: { node: N; update: U };
}

class Departure {
  readonly #node: unknown;
  readonly #update: unknown;

  constructor(node: unknown, update: unknown) {
    this.#node = node;
    this.#update = update;
    Object.freeze(this);
  }

  static is(value: unknown): value is Departure {
    return typeof value === 'object' && value !== null && #node in value;
  }

  static parts(departure: Departure): GotoParts {
    return { node: departure.#node, update: departure.#update };
  }
}

/** The arguments of `goto`. Untyped code may pass anything. */
export interface GotoParts {
  readonly node: unknown;
  /** Undefined if there is none. */
  readonly update: unknown;
}

/**
 * Ends the node with an update and the next node, which it must declare in `to`.
 *
 * @example
 * ```ts
 * review.node('judge', ({ state }) => (state.ok ? goto('end') : goto('write', { rounds: 1 })), { to: ['write', 'end'] });
 * ```
 */
export function goto<const N extends string, U extends object = Record<never, never>>(node: N, update?: U): Goto<N, U> {
  return new Departure(node, update) as unknown as Goto<N, U>;
}

/** The arguments inside the result of `goto`; undefined for anything else. */
export function gotoOf(value: unknown): GotoParts | undefined {
  return Departure.is(value) ? Departure.parts(value) : undefined;
}
