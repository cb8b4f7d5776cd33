import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Frozen } from '../value/frozen/frozen.ts';
import type { Channel } from './definition.ts';
import type { Replace } from './replace.ts';
import type { In, Out } from './standard-schema.ts';

/**
 * A bare Standard Schema is a channel too: last write wins, validated on every write. It must accept its own output.
 *
 * @example
 * ```ts
 * const state = { order: z.string(), log: list<string>() } satisfies Channels;
 * ```
 */
export type Channels = Readonly<Record<string, Channel<unknown, unknown> | StandardSchemaV1>>;
type ValueOf<D> = Frozen<D extends Channel<infer V, unknown> ? V : Out<D>>;
type WriteOf<D> = D extends Channel<infer V, infer U> ? Frozen<U> | Replace<Frozen<V>> : In<D>;
/** The state as a node sees it: read-only all the way down. */
export type StateOf<C> = { readonly [K in keyof C]: ValueOf<C[K]> } & {};
/** An update: at most one write per channel. Missing and undefined keys are not written. */
export type UpdateOf<C> = { readonly [K in keyof C]?: WriteOf<C[K]> | undefined };
/** Schemas that do not accept undefined are required; all other channels are optional. */
type RequiredKeys<C> = {
  [K in keyof C]: C[K] extends Channel<unknown, unknown> ? never : undefined extends In<C[K]> ? never : K;
}[keyof C];
/** The input of a run with these channels. */
export type InputOf<C> = { readonly [K in RequiredKeys<C>]: In<C[K]> } & {
  readonly [K in Exclude<keyof C, RequiredKeys<C>>]?: WriteOf<C[K]> | undefined;
};
