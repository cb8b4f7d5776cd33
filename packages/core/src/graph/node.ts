import type { StateOf, UpdateOf } from '../channel/channels.ts';
import type { HoldfastError } from '../errors/holdfast-error.ts';
import type { NodeContext } from './context.ts';
import type { Declared } from './declared.ts';
import type { Goto } from './goto.ts';
import type { Policy } from './policy.ts';

type NodeResult<D extends Declared, T extends string> = UpdateOf<D['state']> | void | Goto<T, UpdateOf<D['state']>>;

/** A node: reads the state, gives an update of it, or ends with `goto`. */
export type NodeFn<D extends Declared, T extends string> = (
  context: NodeContext<D>,
) => NodeResult<D, T> | Promise<NodeResult<D, T>>;

/** A node that runs for one item of many. */
export type EachFn<D extends Declared, I> = (
  item: I,
  context: NodeContext<D> & { readonly index: number },
) => UpdateOf<D['state']> | void | Promise<UpdateOf<D['state']> | void>;

/** TypeScript lets a returned object have more keys than asked for; this names them. */
type Stray<C, R> =
  R extends Goto<string, infer U>
    ? Stray<C, U>
    : R extends object
      ? string extends keyof R
        ? never
        : Exclude<keyof R, keyof C>
      : never;

/** Unknown, which asks for nothing, if all that is written is a channel; otherwise a text that no function is. */
export type Known<D extends Declared, R> = 0 extends 1 & R
  ? unknown
  : [Stray<D['state'], R>] extends [never]
    ? unknown
    : `no channel is named ${Stray<D['state'], R> & string}`;

/** How a node is tried, what stands for it when it failed, and where `goto` may lead. */
export interface NodePolicy<D extends Declared, T extends string> extends Policy {
  readonly to?: readonly T[] | undefined;
  /** When the last try has failed or timed out: its result is the node's. Throwing fails the run. */
  readonly catch?: ((error: HoldfastError, state: StateOf<D['state']>) => NodeResult<D, NoInfer<T>>) | undefined;
}

/** How each item is tried, how many at a time, and what stands for one that failed. */
export interface EachPolicy<D extends Declared, I> extends Policy {
  readonly concurrency?: number | undefined;
  /** As in a node, for one item. */
  readonly catch?:
    | ((error: HoldfastError, item: I, state: StateOf<D['state']>) => UpdateOf<D['state']> | void)
    | undefined;
}

/** Questions of an inner graph, as the outer one's: `node/question`. */
export type Inner<K extends string, A> = { readonly [P in keyof A & string as `${K}/${P}`]: A[P] };
