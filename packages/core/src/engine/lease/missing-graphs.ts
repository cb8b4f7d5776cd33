import { allRuns } from '../../journal/all-runs.ts';
import type { RunStatus } from '../../store/contract/run.ts';
import { printable } from '../../value/printable.ts';
import type { EngineParts } from '../parts.ts';

/** What `recover` would continue. */
const unfinished: readonly RunStatus[] = ['pending', 'running', 'waiting'];
/** How many runs a warning names. */
const named = 3;

/** Warns about unfinished runs whose graph this engine does not have: recovering leaves them out, now and later. */
export async function warnOfMissingGraphs({ store, registry, env }: EngineParts): Promise<void> {
  const missing = new Map<string, string[]>();
  for await (const { runId, kind, graph } of allRuns(store, { status: unfinished }, { onCorrupt: 'warn' })) {
    if (kind === 'journal' || registry.has({ graph })) continue;
    const runs = missing.get(graph) ?? [];
    missing.set(graph, runs);
    runs.push(runId);
  }
  for (const [graph, runs] of missing) env.warn(warning(graph, runs));
}

function warning(graph: string, runs: readonly string[]): string {
  const some = runs.slice(0, named).map(printable).join(', ');
  const list = runs.length > named ? `${some}, …` : some;
  const what = runs.length === 1 ? '1 unfinished run' : `${runs.length} unfinished runs`;
  return `This engine leaves out ${what} of graph "${printable(graph)}" (${list}), which it does not have. Pass the graph to openEngine({ graphs }), or start a worker that has it. check() lists every such run.`;
}
