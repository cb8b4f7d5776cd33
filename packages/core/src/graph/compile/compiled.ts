import { holdfastError } from '../../errors/holdfast-error.ts';
import type { AnyGraph } from '../shape.ts';
import type { CompiledGraph } from './compiled-graph.ts';
import { inputSchemaOf } from './input-schema.ts';
import { mermaidOf } from './mermaid.ts';
import { structureOf } from './structure-of.ts';

const compiled = new WeakMap<object, CompiledGraph>();
const unfinished = new WeakSet<object>();

/** The public object of a compiled graph. */
export function publicGraph(graph: CompiledGraph): AnyGraph {
  const { name, version, fingerprint } = graph;
  const face: AnyGraph = Object.freeze({
    name,
    version,
    fingerprint,
    mermaid: () => mermaidOf(graph),
    structure: () => structureOf(graph),
    inputSchema: () => inputSchemaOf(graph),
  });
  compiled.set(face, graph);
  return face;
}

/** Remembers a builder, so that passing it instead of a graph gives a helpful error. */
export function markBuilder(builder: object): void {
  unfinished.add(builder);
}

/**
 * The compiled form of a public graph object.
 *
 * @throws HOLDFAST_INVALID_GRAPH for anything that `.compile()` or `workflow()` did not return.
 */
export function compiledOf(graph: unknown): CompiledGraph {
  const found = findCompiled(graph);
  if (found !== undefined) return found;
  throw holdfastError('HOLDFAST_INVALID_GRAPH', `This is not a graph. ${graphRule(graph)}`);
}

/** Like `compiledOf`, but undefined for anything else. */
export function findCompiled(graph: unknown): CompiledGraph | undefined {
  return typeof graph === 'object' && graph !== null ? compiled.get(graph) : undefined;
}

/** What to pass instead. */
export function graphRule(value: unknown): string {
  if (typeof value === 'object' && value !== null && unfinished.has(value))
    return 'It is a builder: call .compile() and pass the result.';
  return 'Pass the result of .compile() or workflow(), from this copy of the package.';
}
