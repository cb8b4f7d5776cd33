import type { Channels } from '../channel/channels.ts';
import type { Asks, Receives } from './ask.ts';

/**
 * The declaration passed to `graph` or `workflow`.
 *
 * @example
 * ```ts
 * const base = graph('orders', { state: { cents: z.number() } });
 * type Declaration = typeof base extends Builder<infer D extends Declared, infer _N, infer _X> ? D : never;
 * ```
 */
export interface Declared {
  readonly state: Channels;
  readonly asks: Asks;
  readonly receives: Receives;
  readonly emits: unknown;
  readonly deps?: object;
  /** What a graph results in. */
  readonly output?: unknown;
}
