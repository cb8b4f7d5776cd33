import { applyUpdates } from '../../channel/update/apply-updates.ts';
import { prepareValues } from '../../channel/update/prepare-update.ts';
import { type FoldState, readCell } from '../../delta/cell.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph, CompiledMigration } from '../../graph/compile/compiled-graph.ts';
import { snapshotBody } from '../../history/snapshot-body.ts';
import type { RunState } from '../fold/run-state.ts';
import { asHoldfastError } from '../fold/stored-error.ts';
import type { Change } from './turn-entry.ts';

/**
 * The records that migrate a run to the graph's version, one per version. None if a migration is missing or the
 * super-step is partly done: the run then stays unchanged.
 */
export async function migrationEntries(graph: CompiledGraph, state: RunState, at: number): Promise<readonly Change[]> {
  const steps: CompiledMigration[] = [];
  for (let version = state.version; version < graph.version; version += 1) {
    const step = graph.migrations.get(version);
    if (step === undefined) return [];
    steps.push(step);
  }
  if ([...state.open.values()].some(({ done }) => done !== undefined)) return [];
  let values: Readonly<Record<string, unknown>> = plainValues(state.values);
  let nodes = new Map<string, string>();
  let asks = new Map<string, string>();
  for (const step of steps) {
    values = migrate(graph, state, step, values);
    nodes = chained(nodes, step.nodes);
    asks = chained(asks, step.asks);
  }
  const prepared = await prepareValues(graph.channels, values);
  const applied = applyUpdates(graph.channels, new Map(), [prepared]);
  const payload = {
    version: graph.version,
    fingerprint: graph.fingerprint,
    state: plainValues(applied.state),
    nodes: Object.fromEntries(nodes),
    asks: Object.fromEntries(asks),
  };
  return [{ entry: { kind: 'migrate', at, payload }, values: applied.state }];
}

function plainValues(values: FoldState): Readonly<Record<string, unknown>> {
  return snapshotBody(new Map([...values].filter(([, cell]) => readCell(cell) !== undefined))).values;
}

function migrate(
  graph: CompiledGraph,
  { runId, version }: RunState,
  { state }: CompiledMigration,
  old: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  try {
    return state(old);
  } catch (thrown) {
    const details = { runId, graph: graph.name, version, missing: ['a working migration'] };
    const cause = asHoldfastError(thrown, 'HOLDFAST_VERSION', 'The migration', details);
    throw holdfastError('HOLDFAST_VERSION', `Run "${runId}" cannot be migrated. ${cause.message}`, { details, cause });
  }
}

/** Applies the renames of one version on top of those of earlier versions. */
function chained(before: ReadonlyMap<string, string>, next: ReadonlyMap<string, string>): Map<string, string> {
  const all = new Map(Array.from(before, ([from, to]) => [from, next.get(to) ?? to]));
  const renamedTo = new Set(before.values());
  for (const [from, to] of next) if (!all.has(from) && !renamedTo.has(from)) all.set(from, to);
  return all;
}
