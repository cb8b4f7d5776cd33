import type { StateOf, UpdateOf } from '../channel/channels.ts';
import type { Declared } from './declared.ts';
import type { EachFn, EachPolicy, Inner, Known, NodeFn, NodePolicy } from './node.ts';
import type { Graph, GraphShape, Shape } from './shape.ts';

/**
 * A graph in the making. Immutable: every call gives a new one.
 * D is what was declared, N the nodes so far, X the questions of inner graphs.
 */
export interface Builder<D extends Declared, N extends string, X> {
  /** A function of the state that gives an update of it. */
  node<K extends string, F extends NodeFn<D, NoInfer<T>>, const T extends string = never>(
    name: K,
    fn: F & Known<D, Awaited<ReturnType<F>>>,
    policy?: NodePolicy<D, T>,
  ): Builder<D, N | K, X>;
  /** One task an item, at most `concurrency` at a time; results merge in item order. No items: done. */
  each<K extends string, I, F extends EachFn<D, NoInfer<I>>>(
    name: K,
    over: (state: StateOf<D['state']>) => readonly I[],
    fn: F & Known<D, Awaited<ReturnType<F>>>,
    policy?: EachPolicy<D, NoInfer<I>>,
  ): Builder<D, N | K, X>;
  /** A whole graph as a node: its own run, linked to this one. Its open questions are this run's too, as `name/question`. */
  graph<K extends string, S extends Shape, const T extends string = never>(
    name: K,
    inner: Graph<S>,
    map: {
      readonly in: (state: StateOf<D['state']>) => S['input'];
      readonly out: (output: S['output']) => UpdateOf<D['state']>;
    } & NodePolicy<D, T>,
  ): Builder<D, N | K, X & Inner<K, S['asks']>>;
  /** From several: waits until each of them has run or can no longer be reached. To several: all of them, in parallel. */
  edge(from: N | 'start' | readonly N[], to: N | 'end' | readonly N[]): Builder<D, N, X>;
  /** A choice made on the state that the node left: one of the targets, several, or none. */
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
