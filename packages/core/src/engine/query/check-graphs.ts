import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { loadRun } from '../../runner/load-run.ts';
import { continueUnder } from '../../runner/plan/continue-under.ts';
import type { RunHeader, RunStatus } from '../../store/contract/run.ts';
import type { RunRefusal } from '../graph-run.ts';
import type { EngineParts } from '../parts.ts';
import { Registry } from '../registry.ts';
import { summaryOf } from './run-summary.ts';

/**
 * An unfinished run that these graphs could not continue, and what they lack.
 *
 * @example
 * ```ts
 * for (const { runId, missing } of await engine.check([refunds])) console.log(runId, missing);
 * ```
 */
export interface StrandedRun {
  readonly runId: string;
  readonly graph: string;
  /** The version of the run as it is now: a migration may have changed it since the run was created. */
  readonly version: number;
  /** The run that waits for this one. Null if it is not a child. */
  readonly parentId: string | null;
  readonly missing: readonly string[];
  /** Workers that could not continue the run at its current head, and why. */
  readonly refusals: readonly RunRefusal[];
}

const unfinished: readonly RunStatus[] = ['pending', 'running', 'waiting', 'suspended', 'failed'];

/** The unfinished runs that these graphs could not continue, including runs of graphs that are not among them. */
export async function strandedRuns(
  parts: Pick<EngineParts, 'store' | 'env'>,
  graphs: readonly CompiledGraph[],
): Promise<readonly StrandedRun[]> {
  const registry = new Registry();
  for (const graph of graphs) registry.add(graph);
  const stranded: StrandedRun[] = [];
  for await (const header of allRuns(parts.store, { status: unfinished }, { onCorrupt: 'warn' })) {
    if (header.kind === 'journal') continue;
    const { refusals } = summaryOf(header);
    const { version, missing } = await missingFor(parts, registry, header, refusals);
    if (missing.length === 0) continue;
    const { runId, graph, parentId } = header;
    stranded.push({ runId, graph, version, parentId, missing, refusals });
  }
  return stranded;
}

type Lack = Pick<StrandedRun, 'version' | 'missing'>;

async function missingFor(
  { store, env }: Pick<EngineParts, 'store' | 'env'>,
  registry: Registry,
  header: RunHeader,
  refusals: readonly RunRefusal[],
): Promise<Lack> {
  let { version } = header;
  if (!registry.has(header)) return { version, missing: [`graph ${header.graph}`] };
  try {
    const { state } = await loadRun(store, header);
    version = state.version;
    const graph = registry.find(state);
    if (graph === undefined || state.cancel !== undefined) return { version, missing: [] };
    const migrating = await continueUnder(graph, state, env.clock.now());
    // Only running the body shows that it has diverged. A migration may be the way out.
    return { version, missing: migrating === undefined ? divergedIn(refusals) : [] };
  } catch (error) {
    return { version, missing: HoldfastError.is(error, 'HOLDFAST_VERSION') ? error.details.missing : [String(error)] };
  }
}

function divergedIn(refusals: readonly RunRefusal[]): readonly string[] {
  const found = refusals.filter(({ code }) => code === 'HOLDFAST_DIVERGED').map(({ message }) => message);
  return [...new Set(found)];
}
