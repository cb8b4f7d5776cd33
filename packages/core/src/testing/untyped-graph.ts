import { HoldfastError } from '../errors/holdfast-error.ts';
import type { Problem } from '../graph/compile/problem.ts';
import { graph } from '../graph/graph.ts';

/** A builder without types: what a program in JavaScript may do with it. */
export interface UntypedGraph {
  node(...given: readonly unknown[]): UntypedGraph;
  each(...given: readonly unknown[]): UntypedGraph;
  graph(...given: readonly unknown[]): UntypedGraph;
  edge(...given: readonly unknown[]): UntypedGraph;
  route(...given: readonly unknown[]): UntypedGraph;
  compile(): unknown;
}

/** `graph` without its types. */
export function untypedGraph(name: unknown, definition: unknown): UntypedGraph {
  return (graph as unknown as (name: unknown, definition: unknown) => UntypedGraph)(name, definition);
}

/** Something to be compiled. */
type Compilable = Pick<UntypedGraph, 'compile'>;

/** What compiling this throws. */
export function invalidGraphOf(graph: Compilable): HoldfastError {
  try {
    graph.compile();
  } catch (error) {
    if (HoldfastError.is(error, 'HOLDFAST_INVALID_GRAPH')) return error;
    throw error;
  }
  throw new Error('it compiles');
}

/** The problems that the error tells of, as `node: what`, up to their first full stop. */
export function problemsOf(graph: Compilable): readonly string[] {
  const problems = invalidGraphOf(graph).details['problems'] as readonly Problem[];
  return problems.map(({ node, what }) => `${node === undefined ? '' : `${node}: `}${what.split(/\. |\.$/)[0]}`);
}
