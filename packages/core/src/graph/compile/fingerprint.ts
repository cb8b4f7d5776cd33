import { hashValue } from '../../value/codec/canonical.ts';
import type { CompiledGraph, CompiledNode, Exits } from './compiled-graph.ts';

/** A short hash of a graph's structure. It does not depend on the order in which the parts are declared. */
export function fingerprintOf(graph: Omit<CompiledGraph, 'fingerprint'>): string {
  const structure = {
    name: graph.name,
    channels: sorted(graph.channels.keys()),
    asks: sorted(graph.asks.keys()),
    receives: sorted(graph.receives.keys()),
    entry: exits(graph.entry),
    nodes: Object.fromEntries([...graph.nodes].map(([name, node]) => [name, nodeStructure(node)])),
  };
  return hashValue(structure).slice(0, 16);
}

function nodeStructure({ work, to, exits: ways }: CompiledNode): object {
  return {
    type: work.type,
    to: sorted(to),
    exits: exits(ways),
    inner: work.type === 'graph' ? [work.inner.name, work.inner.fingerprint] : [],
  };
}

function exits({ edges, routes, joins }: Exits): object {
  return {
    edges: sorted(edges),
    routes: sorted(routes.map(({ targets }) => sorted(targets).join('+'))),
    joins: sorted(joins.map(({ key }) => key)),
  };
}

function sorted(names: Iterable<string>): readonly string[] {
  return [...names].toSorted();
}
