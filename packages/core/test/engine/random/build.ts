import { type Asks, channel, counter, type Graph, type GraphShape, goto, graph, list, type Receives } from 'holdfast';
import type { GraphPlan, NodePlan } from './plan.ts';
import { gotoTarget, itemCount, picked, type RandomState, updateOf } from './reference.ts';

const state = { visits: counter(), log: list<string>(), last: channel<string>() };

/** A builder whose node names are not known to the compiler. */
interface LooseBuilder {
  node(name: string, fn: (context: LooseContext) => unknown, policy: object): LooseBuilder;
  each(
    name: string,
    over: (state: RandomState) => readonly number[],
    fn: (item: number, context: LooseContext) => unknown,
    policy: object,
  ): LooseBuilder;
  graph(name: string, inner: unknown, map: object): LooseBuilder;
  edge(from: string | readonly string[], to: string | readonly string[]): LooseBuilder;
  route(from: string, to: readonly string[], pick: (state: RandomState) => readonly string[]): LooseBuilder;
  compile(): unknown;
}

interface LooseContext {
  readonly state: RandomState;
  readonly attempt: number;
}

/** The shape of every random graph. */
export type RandomGraph = Graph<
  GraphShape<
    {
      readonly state: typeof state;
      readonly asks: Asks;
      readonly receives: Receives;
      readonly emits: unknown;
      readonly deps: object;
    },
    string,
    unknown
  >
>;

/** Makes a graph of a plan; `ran` counts how often each body runs. */
export function build(plan: GraphPlan, ran: Record<string, number>): RandomGraph {
  let builder = graph('random', { state }) as unknown as LooseBuilder;
  for (const node of plan.nodes) builder = addNode(builder, node, ran);
  for (const [from, to] of plan.edges) builder = builder.edge(from, to);
  for (const { sources, targets } of plan.joins) builder = builder.edge(sources, targets);
  for (const { from, choices } of plan.routes) {
    const targets = [...new Set(choices.flat()), 'end'];
    builder = builder.route(from, [...new Set(targets)], (merged) => picked(choices, merged));
  }
  for (const { name } of plan.nodes) if (!hasExit(plan, name)) builder = builder.edge(name, 'end');
  return builder.compile() as RandomGraph;
}

function hasExit({ nodes, edges, routes, joins }: GraphPlan, name: string): boolean {
  return (
    edges.some(([from]) => from === name) ||
    routes.some(({ from }) => from === name) ||
    joins.some(({ sources }) => sources.includes(name)) ||
    nodes.some((node) => node.name === name && node.kind === 'node' && node.gotos.length > 0)
  );
}

function addNode(builder: LooseBuilder, plan: NodePlan, ran: Record<string, number>): LooseBuilder {
  const { name, kind, fails, attempts, concurrency } = plan;
  const work = (item: number | undefined, attempt: number): void => {
    const key = item === undefined ? name : `${name}/${item}`;
    ran[key] = (ran[key] ?? 0) + 1;
    if (attempt <= fails && (item === undefined || item === 1)) throw new Error(`${key} fails`);
  };
  const retry = { attempts, backoff: 0 };
  const caught = (item?: number): object => updateOf(plan, item, true);
  switch (kind) {
    case 'each': {
      const over = (seen: RandomState): readonly number[] =>
        Array.from({ length: itemCount(plan, seen) }, (_, item) => item);
      const run = async (item: number, { attempt }: LooseContext): Promise<object> => {
        // Later items end first: the order of the writes must not show it.
        if (item % 2 === 0) await new Promise(setImmediate);
        work(item, attempt);
        return updateOf(plan, item, false);
      };
      const policy = {
        retry,
        concurrency,
        ...(plan.hasCatch && { catch: (_: unknown, item: number) => caught(item) }),
      };
      return builder.each(name, over, run, policy);
    }
    case 'graph': {
      const tries = Math.min(fails + 1, attempts);
      const map = {
        in: () => ({}),
        out: () => {
          const before = ran[name] ?? 0;
          ran[name] = before + 1;
          if (before % tries < fails) throw new Error(`${name} fails`);
          return updateOf(plan, undefined, false);
        },
        retry,
        ...(plan.hasCatch && { catch: () => caught() }),
      };
      return builder.graph(name, innerGraph(plan), map);
    }
    case 'node': {
      const run = async ({ state: seen, attempt }: LooseContext): Promise<unknown> => {
        if (attempt % 2 === 1) await new Promise(setImmediate);
        work(undefined, attempt);
        const target = gotoTarget(plan, seen);
        const update = updateOf(plan, undefined, false);
        return target === undefined ? update : goto(target, update);
      };
      const policy = { retry, to: plan.gotos, ...(plan.hasCatch && { catch: () => caught() }) };
      return builder.node(name, run, policy);
    }
  }
}

/** Two branches of these lengths, and what comes when both have ended. */
function innerGraph({ inner: [left, right], name }: NodePlan): unknown {
  let builder = graph(`inner-${name}`, { state }) as unknown as LooseBuilder;
  const branch = (letter: string, length: number): readonly string[] => {
    const steps = Array.from({ length }, (_, at) => `${letter}${at}`);
    for (const step of steps) builder = builder.node(step, () => ({ log: step }), {});
    steps.forEach((step, at) => {
      builder = builder.edge(at === 0 ? 'start' : (steps[at - 1] as string), step);
    });
    return steps;
  };
  const ends = [branch('l', left).at(-1) as string, branch('r', right).at(-1) as string];
  return builder
    .node('both', () => ({ log: 'both' }), {})
    .edge(ends, 'both')
    .edge('both', 'end')
    .compile();
}
