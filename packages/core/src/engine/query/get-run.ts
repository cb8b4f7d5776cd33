import { holdfastError } from '../../errors/holdfast-error.ts';
import { compiledOf } from '../../graph/compile/compiled.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { AnyGraph } from '../../graph/shape.ts';
import { loadRun } from '../../runner/load-run.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { notFound } from '../not-found.ts';
import type { EngineParts } from '../parts.ts';

/** The header of a graph run, of this graph if one is given. @throws HOLDFAST_NOT_FOUND, HOLDFAST_INPUT_MISMATCH */
export async function getHeader({ store }: EngineParts, runId: string, graph?: CompiledGraph): Promise<RunHeader> {
  const header = await store.header(runId);
  if (header === undefined || header.kind === 'journal') throw notFound(runId, header?.kind);
  if (graph === undefined || graph.name === header.graph) return header;
  throw holdfastError(
    'HOLDFAST_INPUT_MISMATCH',
    `Run "${runId}" is a run of "${header.graph}", not of "${graph.name}".`,
    {
      details: { runId, graph: header.graph },
    },
  );
}

/** The code of a run. Its version is in its journal, and read only if that decides which code it is. */
export async function codeOf({ store, registry }: EngineParts, header: RunHeader): Promise<CompiledGraph | undefined> {
  if (!registry.hasVersions(header)) return registry.find(header);
  return registry.find((await loadRun(store, header)).state);
}

/** The name that a query means: of a graph, or the name itself. @throws HOLDFAST_INVALID_GRAPH */
export function nameOf(graph: AnyGraph | string): string {
  return typeof graph === 'string' ? graph : compiledOf(graph).name;
}
