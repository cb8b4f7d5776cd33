import { holdfastError } from '../../errors/holdfast-error.ts';
import { isOptions } from '../draft/is-options.ts';
import type { AnyGraph } from '../shape.ts';
import type { CompiledGraph } from './compiled-graph.ts';
import { inputSchemaOf } from './input-schema.ts';
import { mermaidOf } from './mermaid.ts';
import { quoted } from './problem.ts';
import { structureOf } from './structure-of.ts';

const compiled = new WeakMap<object, CompiledGraph>();
const unfinished = new WeakSet<object>();

/** The public object of a compiled graph. */
export function publicGraph(graph: CompiledGraph): AnyGraph {
  const { name, version, fingerprint } = graph;
  const face = Object.freeze({
    name,
    version,
    fingerprint,
    mermaid: () => mermaidOf(graph),
    structure: () => structureOf(graph),
    inputSchema: () => inputSchemaOf(graph),
    with: (deps: unknown) => publicGraph(withDeps(graph, deps)),
  });
  compiled.set(face, graph);
  return face;
}

/** The graph with other dependencies. @throws HOLDFAST_INVALID_OPTION */
function withDeps(graph: CompiledGraph, given: unknown): CompiledGraph {
  const deps = isOptions(given) ? given : {};
  const known = Object.keys(graph.deps);
  const unknown = deps === given ? Object.keys(deps).find((name) => !known.includes(name)) : '';
  if (unknown === undefined) return { ...graph, deps: { ...graph.deps, ...deps } };
  const why = deps === given ? `it has no dependency ${quoted(unknown)}` : 'with() takes an object';
  const list = known.length === 0 ? 'It has none' : `It has ${known.join(', ')}`;
  throw holdfastError('HOLDFAST_INVALID_OPTION', `Graph ${quoted(graph.name)}: ${why}. ${list}.`, {
    details: { graph: graph.name, option: 'deps' },
  });
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
