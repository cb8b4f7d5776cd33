import type { Channels, StateOf } from '../channel/channels.ts';
import type { Asks, Receives } from './ask.ts';
import type { Builder } from './builder.ts';
import { complainOfName, type Problem } from './compile/problem.ts';
import { builderOf } from './draft/draft-builder.ts';
import { type Definition, readDefinition } from './graph-definition.ts';

/**
 * Starts building a graph: its name, its state, and what it asks, receives, emits, works with and results in.
 *
 * @example
 * ```ts
 * const refunds = graph('refunds', { state: { order: z.string(), log: list<string>() }, asks: { approval: z.boolean() } })
 *   .node('approve', async ({ state, ask }) => ({ log: `${await ask('approval', `Refund ${state.order}?`)}` }))
 *   .edge('start', 'approve')
 *   .edge('approve', 'end')
 *   .compile();
 * ```
 */
export function graph<
  const C extends Channels,
  const A extends Asks = Record<never, never>,
  const R extends Receives = Record<never, never>,
  E = unknown,
  P extends object = Record<never, never>,
  const O = StateOf<C>,
>(
  name: string,
  definition: {
    readonly state: C;
    /** What a run results in. Default: its state. */
    readonly output?: (state: StateOf<C>) => O;
  } & Definition<A, R, E, P>,
): Builder<
  {
    readonly state: C;
    readonly asks: A;
    readonly receives: R;
    readonly emits: E;
    readonly deps: P;
    readonly output: O;
  },
  never,
  unknown
> {
  const problems: Problem[] = [];
  const complain = (what: string): unknown => problems.push({ what });
  complainOfName('graph', name, complain);
  return builderOf({
    kind: 'graph',
    name: typeof name === 'string' ? name : undefined,
    definition: readDefinition('graph', definition, complain),
    nodes: [],
    links: [],
    problems,
  });
}
