import type { GraphJson } from '@holdfast/server/client';
import type { GraphStructure } from './shape.ts';

/** A graph that the server knows only as a part of another one: its structure, without a form to start it. */
export function innerGraph(graphs: readonly GraphJson[], name: string): GraphJson | undefined {
  for (const graph of graphs) {
    const structure = structureIn(graph.structure, name);
    if (structure !== undefined) return { ...graph, name, version: structure.version, structure, inputSchema: null };
  }
  return undefined;
}

function structureIn({ nodes }: GraphStructure, name: string): GraphStructure | undefined {
  for (const { inner } of nodes) {
    if (inner === undefined) continue;
    const found = inner.name === name ? inner : structureIn(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
