import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Channel } from './definition.ts';
import type { Replace } from './replace.ts';
import type { In, Out } from './schema.ts';

/** A bare Standard Schema is a channel too: last write wins, validated on every write. It must accept what it returns. */
export type Channels = Readonly<Record<string, Channel<unknown, unknown> | StandardSchemaV1>>;
type ValueOf<D> = D extends Channel<infer V, unknown> ? V : Out<D>;
type WriteOf<D> = D extends Channel<infer V, infer U> ? U | Replace<V> : In<D>;
/** What a node sees of these channels. */
export type StateOf<C> = { readonly [K in keyof C]: ValueOf<C[K]> };
/** One write a channel. What is left out, or undefined, is not written. */
export type UpdateOf<C> = { readonly [K in keyof C]?: WriteOf<C[K]> | undefined };
/** A schema that takes no undefined is required, everything else is not. */
type RequiredKeys<C> = {
  [K in keyof C]: C[K] extends Channel<unknown, unknown> ? never : undefined extends In<C[K]> ? never : K;
}[keyof C];
/** What a run of these channels starts with. */
export type InputOf<C> = { readonly [K in RequiredKeys<C>]: In<C[K]> } & {
  readonly [K in Exclude<keyof C, RequiredKeys<C>>]?: WriteOf<C[K]> | undefined;
};
