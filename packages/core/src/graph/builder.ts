import type { StateOf, UpdateOf } from '../channel/channels.ts';
import type { Declared } from './declared.ts';
import type { AnyEachFn, AnyNodeFn, Checked, EachPolicy, Inner, InnerPolicy, NodePolicy, ResultOf } from './node.ts';
import type { Graph, GraphShape, Shape } from './shape.ts';

/**
 * A graph under construction. Immutable: every call returns a new builder.
 * D is the declaration, N the nodes so far, X the questions of inner graphs.
 *
 * @example
 * ```ts
 * const base = graph('orders', { state: { log: list<string>() } }); // a builder
 * const orders = base.node('check', () => ({ log: 'checked' })).edge('start', 'check').edge('check', 'end').compile();
 * ```
 */
export interface Builder<D extends Declared, N extends string, X> {
  /** Adds a node: a function of the state that returns an update. */
  node<K extends string, F extends AnyNodeFn<D>, const T extends string = never>(
    name: K,
    fn: Checked<F, D, NoInfer<T>, ResultOf<F>>,
    policy?: NodePolicy<D, T>,
  ): Builder<D, N | K, X>;
  /** Adds a node that runs one task per item, at most `concurrency` at a time. Results merge in item order. */
  each<K extends string, I, F extends AnyEachFn<D, NoInfer<I>>>(
    name: K,
    over: (state: StateOf<D['state']>) => readonly I[],
    fn: Checked<F, D, never, ResultOf<F>>,
    policy?: EachPolicy<D, NoInfer<I>>,
  ): Builder<D, N | K, X>;
  /** Adds a graph as a node. It executes as a child run. Its questions can be answered on this run as `name/question`. */
  graph<K extends string, S extends Shape, const T extends string = never>(
    name: K,
    inner: Graph<S>,
    map: {
      readonly in: (state: StateOf<D['state']>) => S['input'];
      readonly out: (output: S['output']) => UpdateOf<D['state']>;
    } & InnerPolicy<D, T>,
  ): Builder<D, N | K, X & Inner<K, S['asks']>>;
  /**
   * Adds an edge. With several sources, it waits until each has run or can no longer be reached. With several targets, all
   * of them run in parallel.
   */
  edge(from: N | 'start' | readonly N[], to: N | 'end' | readonly N[]): Builder<D, N, X>;
  /** Adds a choice, made on the state after the node: one of the targets, several, or none. */
  route<const T extends readonly (N | 'end')[]>(
    from: N | 'start',
    to: T,
    pick: (state: StateOf<D['state']>) => NoInfer<T[number]> | readonly NoInfer<T[number]>[],
  ): Builder<D, N, X>;
  /**
   * Checks the whole graph and reports every problem at once.
   *
   * @throws HOLDFAST_INVALID_GRAPH
   */
  compile(): Graph<GraphShape<D, N, X>>;
}
