import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { placeEntry } from '../../record/record.ts';
import { foldRecord } from '../../runner/fold/fold-record.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import { migrationEntries } from '../../runner/plan/migrate-run.ts';
import { missingParts } from '../../runner/plan/missing-parts.ts';
import type { EngineParts } from '../parts.ts';
import { Registry } from '../registry.ts';
import type { RunRefusal } from '../run.ts';
import { summaryOf } from './run-summary.ts';

/** An unfinished run that these graphs could not continue, and what they lack. */
export interface StrandedRun {
  readonly runId: string;
  readonly graph: string;
  readonly version: number;
  readonly missing: readonly string[];
  /** Workers that could not continue the run at its current head, and why. */
  readonly refusals: readonly RunRefusal[];
}

const unfinished: ReadonlySet<string> = new Set(['pending', 'running', 'waiting', 'suspended', 'failed']);

/** The unfinished runs that these graphs could not continue. Ignores runs of other graphs. */
export async function strandedRuns(
  { store, env }: Pick<EngineParts, 'store' | 'env'>,
  graphs: readonly CompiledGraph[],
): Promise<readonly StrandedRun[]> {
  const registry = new Registry();
  for (const graph of graphs) registry.add(graph);
  const stranded: StrandedRun[] = [];
  for await (const header of allRuns(store, {})) {
    const graph = header.kind === 'journal' || !unfinished.has(header.status) ? undefined : registry.find(header);
    if (graph === undefined) continue;
    const { runId, version } = header;
    const { refusals } = summaryOf(header);
    try {
      const { state } = await loadRun(store, header);
      if (state.version < graph.version) {
        for (const { entry, values } of await migrationEntries(graph, state, env.clock.now())) {
          foldRecord(state, placeEntry(entry, runId, state.head + 1), values);
        }
      }
      const missing = missingParts(graph, state);
      if (missing.length > 0) stranded.push({ runId, graph: header.graph, version, missing, refusals });
    } catch (error) {
      stranded.push({ runId, graph: header.graph, version, missing: [String(error)], refusals });
    }
  }
  return stranded;
}
