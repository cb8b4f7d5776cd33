import type { GraphEdge, GraphNode, GraphStructure } from '../structure.ts';
import type { CompiledGraph, CompiledNode, Exits, Join } from './compiled-graph.ts';

/** The nodes and edges of a graph, in the order of their declaration. */
export function structureOf({ name, version, nodes, entry, joins, asks, receives }: CompiledGraph): GraphStructure {
  const all = [...nodes.values()];
  return {
    name,
    version,
    nodes: all.map(nodeOf),
    edges: [
      ...edgesFrom('start', entry),
      ...all.flatMap((node) => [
        ...edgesFrom(node.name, node.exits),
        ...Array.from(node.to, (to): GraphEdge => ({ from: node.name, to, type: 'goto' })),
      ]),
      ...joins.flatMap(edgesOfJoin),
    ],
    asks: [...asks.keys()],
    receives: [...receives.keys()],
  };
}

function nodeOf({ name, work }: CompiledNode): GraphNode {
  return { name, type: work.type, ...(work.type === 'graph' && { inner: structureOf(work.inner) }) };
}

function edgesFrom(from: string, { edges, routes }: Exits): readonly GraphEdge[] {
  return [
    ...edges.map((to): GraphEdge => ({ from, to, type: 'edge' })),
    ...routes.flatMap(({ targets }) => Array.from(targets, (to): GraphEdge => ({ from, to, type: 'route' }))),
  ];
}

function edgesOfJoin({ key, sources, targets }: Join): readonly GraphEdge[] {
  return sources.flatMap((from) => targets.map((to): GraphEdge => ({ from, to, type: 'join', join: key })));
}
