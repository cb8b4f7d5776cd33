import type { Builder } from './builder.ts';
import type { NodeContext } from './context.ts';
import type { ShapeOf } from './shape.ts';

/** The state of a graph: `StateOf<typeof refunds>`. */
export type StateOf<G> = ShapeOf<G>['state'];

/** What a graph or workflow is started with: `InputOf<typeof refunds>`. */
export type InputOf<G> = ShapeOf<G>['input'];

/** The result of a graph or workflow: `OutputOf<typeof refunds>`. */
export type OutputOf<G> = ShapeOf<G>['output'];

/** The context of a node in its own file: `async function charge({ state, step }: ContextOf<typeof base>)`. */
// N and X are used only because an unused `infer` is an error, and no other type matches every builder.
export type ContextOf<B> =
  B extends Builder<infer D, infer N, infer X> ? ([N, X] extends [unknown, unknown] ? NodeContext<D> : never) : never;
