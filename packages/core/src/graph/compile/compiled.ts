import { holdfastError } from '../../errors/holdfast-error.ts';
import type { AnyGraph } from '../shape.ts';
import type { CompiledGraph } from './compiled-graph.ts';
import { mermaidOf } from './mermaid.ts';

const compiled = new WeakMap<object, CompiledGraph>();
const unfinished = new WeakSet<object>();

/** The object that stands for a compiled graph in a user's hands. */
export function publicGraph(graph: CompiledGraph): AnyGraph {
  const { name, version, fingerprint } = graph;
  const face: AnyGraph = Object.freeze({ name, version, fingerprint, mermaid: () => mermaidOf(graph) });
  compiled.set(face, graph);
  return face;
}

/** Takes note of a builder, so that who passes it for a graph is told what is missing. */
export function markBuilder(builder: object): void {
  unfinished.add(builder);
}

/**
 * What the runner knows of a graph.
 *
 * @throws HOLDFAST_INVALID_GRAPH for anything that `.compile()` or `workflow()` did not give.
 */
export function compiledOf(graph: unknown): CompiledGraph {
  const found = findCompiled(graph);
  if (found !== undefined) return found;
  throw holdfastError('HOLDFAST_INVALID_GRAPH', `This is no graph. ${graphRule(graph)}`);
}

/** As `compiledOf`, but undefined for anything else. */
export function findCompiled(graph: unknown): CompiledGraph | undefined {
  return typeof graph === 'object' && graph !== null ? compiled.get(graph) : undefined;
}

/** What to pass in place of this. */
export function graphRule(value: unknown): string {
  if (typeof value === 'object' && value !== null && unfinished.has(value))
    return 'It is a builder: call .compile() on it and pass what that gives.';
  return 'Pass what .compile() of a graph, or workflow(), gave (by this copy of the package).';
}
