import type { brand } from '../channel/brand.ts';
import type { StateOf, UpdateOf } from '../channel/channels.ts';
import type { HoldfastError } from '../errors/holdfast-error.ts';
import type { NodeContext } from './context.ts';
import type { Declared } from './declared.ts';
import type { Goto } from './goto.ts';
import type { Policy } from './policy.ts';

type NodeResult<D extends Declared, T extends string> = UpdateOf<D['state']> | void | Goto<T, UpdateOf<D['state']>>;

/**
 * A node: reads the state and returns an update or a `goto`.
 *
 * @example
 * ```ts
 * const orders = graph('orders', { state: { cents: z.number() } })
 *   .node('double', ({ state }) => ({ cents: 2 * state.cents })) // a NodeFn
 *   .edge('start', 'double')
 *   .edge('double', 'end')
 *   .compile();
 * ```
 */
export type NodeFn<D extends Declared, T extends string> = (
  context: NodeContext<D>,
) => NodeResult<D, T> | Promise<NodeResult<D, T>>;

/**
 * The body of an `each` node, called for one item.
 *
 * @example
 * ```ts
 * const sums = graph('sums', { state: { items: list<number>(), log: list<string>() } })
 *   .each('print', ({ items }) => items, (item, { index }) => ({ log: `${index}: ${item}` }))
 *   .edge('start', 'print')
 *   .edge('print', 'end')
 *   .compile();
 * ```
 */
export type EachFn<D extends Declared, I> = (
  item: I,
  context: NodeContext<D> & { readonly index: number },
) => UpdateOf<D['state']> | void | Promise<UpdateOf<D['state']> | void>;

/** The keys of a result that are not channels. TypeScript alone allows excess keys in returned objects. */
type Stray<C, R> = R extends { readonly [brand]: { readonly update: infer U } }
  ? Stray<C, U>
  : R extends object
    ? string extends keyof R
      ? never
      : keyof R extends keyof C
        ? never
        : Exclude<keyof R, keyof C>
    : never;

/** The keys K of U whose types V does not accept. */
type Refused<U, V, K> = K extends keyof U & keyof V ? (U[K] extends V[K] ? never : K) : never;

/** Why the result of a node with the targets T is refused, in a sentence. U is what a node may write. */
type Reason<U, T extends string, R> =
  R extends Goto<infer N, unknown>
    ? N extends T
      ? 'a channel does not accept the type that goto writes'
      : `goto('${N}') needs { to: ['${N}'] } in the options of the node`
    : `channel ${Refused<R, U, keyof R> & string} does not accept this type`;

/** What a node's function gives, once it is there. With `Awaited<ReturnType<F>>` checking a graph takes half as much again. */
export type ResultOf<F> = F extends (...given: never) => infer R ? (R extends Promise<infer V> ? V : R) : never;

/**
 * The parameter for the function F of a node with the result R: F, or a sentence that says why R is refused. TypeScript
 * prints it in the first line.
 */
export type Checked<F, D extends Declared, T extends string, R> = [Stray<D['state'], R>] extends [never]
  ? [R] extends [NodeResult<D, T>]
    ? F
    : object extends R
      ? F
      : Reason<UpdateOf<D['state']>, T, R>
  : `there is no channel ${Stray<D['state'], R> & string}`;

/** A node before its result is checked. It knows the types of an update, so that literals stay literals. */
export type AnyNodeFn<D extends Declared> = (
  context: NodeContext<D>,
) => NodeResult<D, string> | object | Promise<NodeResult<D, string> | object>;

/** The body of an `each` node before its result is checked. */
export type AnyEachFn<D extends Declared, I> = (
  item: I,
  context: NodeContext<D> & { readonly index: number },
) => UpdateOf<D['state']> | void | object | Promise<UpdateOf<D['state']> | void | object>;

/** Whether a node as a whole is an effect that must not happen twice. */
interface NodeEffect {
  /**
   * 'once': the node runs as one step with `effect: 'once'`. An intent is journalled before its body runs. A crash or a
   * timeout in the middle leaves an unknown outcome, and the node waits with kind 'effect' until `run.settle`; `{ result }`
   * is the update that the node would have returned. An error that the body throws is a known failure. Such a node uses no
   * `step` and waits for nothing. Default: 'repeatable'.
   *
   * ```ts
   * .node('charge', async ({ state, key }) => ({ receipt: await bank.charge(state.cents, key) }), { effect: 'once' })
   * ```
   */
  readonly effect?: 'repeatable' | 'once' | undefined;
}

/**
 * Retries and timeout of a node, its effect, its fallback, and the targets of `goto`.
 *
 * @example
 * ```ts
 * const orders = graph('orders', { state: { cents: z.number(), log: list<string>() } })
 *   .node('pay', async () => ({ log: 'paid' }), { effect: 'once', timeout: '30s', catch: (error) => ({ log: error.code }) })
 *   .edge('start', 'pay')
 *   .edge('pay', 'end')
 *   .compile();
 * ```
 */
export interface NodePolicy<D extends Declared, T extends string> extends InnerPolicy<D, T>, NodeEffect {}

/**
 * The policy of a node that is a graph.
 *
 * @example
 * ```ts
 * const outer = graph('outer', { state: { log: list<string>() } })
 *   .graph('inner', refunds, { in: () => ({ order: 'o', cents: 1 }), out: ({ log }) => ({ log }), retry: 2, timeout: '1h' })
 *   .edge('start', 'inner')
 *   .edge('inner', 'end')
 *   .compile();
 * ```
 */
export interface InnerPolicy<D extends Declared, T extends string> extends Policy {
  readonly to?: readonly T[] | undefined;
  /** Called after the last attempt failed or timed out. Its result becomes the node's. Throwing fails the run. */
  readonly catch?: ((error: HoldfastError, state: StateOf<D['state']>) => NodeResult<D, NoInfer<T>>) | undefined;
}

/**
 * Retries and timeout per item, its effect, the concurrency, and the fallback of an item.
 *
 * @example
 * ```ts
 * const orders = graph('orders', { state: { urls: list<string>(), log: list<string>() } })
 *   .each('fetch', ({ urls }) => urls, (url) => ({ log: url }), { concurrency: 4, retry: 3, catch: (error) => ({ log: error.message }) })
 *   .edge('start', 'fetch')
 *   .edge('fetch', 'end')
 *   .compile();
 * ```
 */
export interface EachPolicy<D extends Declared, I> extends Policy, NodeEffect {
  /** How many items run at a time. Default: 16. */
  readonly concurrency?: number | undefined;
  /** Like `catch` of a node, for one item. */
  readonly catch?:
    | ((error: HoldfastError, item: I, state: StateOf<D['state']>) => UpdateOf<D['state']> | void)
    | undefined;
}

/** The questions of an inner graph, named `node/question` in the outer one. */
export type Inner<K extends string, A> = { readonly [P in keyof A & string as `${K}/${P}`]: A[P] };
