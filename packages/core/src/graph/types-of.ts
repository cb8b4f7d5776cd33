import type { Builder } from './builder.ts';
import type { NodeContext } from './context.ts';
import type { Graph, Uncompiled } from './shape.ts';

/** What the types below are if they are given something else. */
type NotAGraph = 'This is not a graph: pass typeof of what .compile() or workflow() returned.';

/**
 * The state of a graph, or of a builder: `StateOf<typeof refunds>`.
 *
 * @example
 * ```ts
 * const isPaid = (state: StateOf<typeof refunds>): boolean => state.log.includes('paid');
 * ```
 */
export type StateOf<G> =
  G extends Graph<infer S> ? S['state'] : G extends Uncompiled ? ContextOf<G>['state'] : NotAGraph;

/**
 * What a graph or workflow is started with: `InputOf<typeof refunds>`.
 *
 * @example
 * ```ts
 * const input: InputOf<typeof refunds> = { order: 'ord-81', cents: 500 };
 * ```
 */
export type InputOf<G> = G extends Graph<infer S> ? S['input'] : NotAGraph;

/**
 * The result of a graph or workflow: `OutputOf<typeof refunds>`.
 *
 * @example
 * ```ts
 * const print = ({ log }: OutputOf<typeof refunds>): void => console.log(log.join('\n'));
 * ```
 */
export type OutputOf<G> = G extends Graph<infer S> ? S['output'] : NotAGraph;

/**
 * The context of a node in its own file. B is the builder before the node is added.
 *
 * @example
 * ```ts
 * const base = graph('orders', { state: { order: z.string(), log: list<string>() } });
 * async function charge({ state, step }: ContextOf<typeof base>) {
 *   return { log: await step('charge', () => bank.charge(state.order)) };
 * }
 * const orders = base.node('charge', charge).edge('start', 'charge').edge('charge', 'end').compile();
 * ```
 */
// N and X are used only because an unused `infer` is an error, and no other type matches every builder.
export type ContextOf<B> =
  B extends Builder<infer D, infer N, infer X> ? ([N, X] extends [unknown, unknown] ? NodeContext<D> : never) : never;
