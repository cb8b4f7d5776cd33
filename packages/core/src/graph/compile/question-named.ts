import type { CompiledAsk, CompiledGraph } from './compiled-graph.ts';

/** A question of the graph, or of a graph inside it: `node/question`. Undefined if there is none with this name. */
export function questionNamed(graph: CompiledGraph, name: string): CompiledAsk | undefined {
  const slash = name.indexOf('/');
  if (slash === -1) return graph.asks.get(name);
  const inner = innerOf(graph, name.slice(0, slash));
  return inner && questionNamed(inner, name.slice(slash + 1));
}

/** The names of all questions that can be answered on a run of the graph. */
export function questionNames(graph: CompiledGraph): readonly string[] {
  const own = [...graph.asks.keys()];
  const inner = [...graph.nodes.values()].flatMap(({ name, work }) =>
    work.type === 'graph' ? questionNames(work.inner).map((each) => `${name}/${each}`) : [],
  );
  return [...own, ...inner];
}

/** The graph of a `.graph` node. */
export function innerOf({ nodes }: CompiledGraph, node: string): CompiledGraph | undefined {
  const work = nodes.get(node)?.work;
  return work?.type === 'graph' ? work.inner : undefined;
}
