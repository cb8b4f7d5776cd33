import { stateView } from '../../channel/update/state-view.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { placeEntry } from '../../record/record.ts';
import { copyRunState } from '../fold/copy-run-state.ts';
import { foldRecord } from '../fold/fold-record.ts';
import { type RunState, taskKey } from '../fold/run-state.ts';
import { type Migrating, migrateRun, migrationsFrom, renamesFrom } from './migrate-run.ts';
import { missingParts } from './missing-parts.ts';
import { planTasks } from './plan-tasks.ts';
import { sharedNames } from './shared-names.ts';

/**
 * Whether this code can continue the run, decided before anything is written. Returns the migration that has to be
 * committed first, if any.
 *
 * @throws HOLDFAST_VERSION with what is missing; the run stays as it is, for code that can continue it
 */
export async function continueUnder(graph: CompiledGraph, state: RunState, at: number): Promise<Migrating | undefined> {
  if (state.fingerprint === graph.fingerprint && state.version === graph.version) return undefined;
  const migrating = state.version < graph.version ? await tryMigration(graph, state, at) : undefined;
  const next = migrating === undefined ? state : migrated(state, migrating);
  const missing = [...missingParts(graph, next)];
  if (missing.length === 0) missing.push(...misfits(graph, next));
  if (missing.length > 0) throw cannotContinue(graph, state, missing);
  return migrating;
}

/** The old code finishes what it has begun: its results mean nothing to other code. */
async function tryMigration(graph: CompiledGraph, state: RunState, at: number): Promise<Migrating | undefined> {
  const steps = migrationsFrom(graph, state.version);
  if (steps === undefined) return undefined;
  const done = [...state.open.values()].filter((memo) => memo.done !== undefined).map(({ place }) => taskKey(place));
  if (done.length > 0) {
    const code = `code of version ${state.version}, which has to finish the open super-step (${done.join(', ')} already done)`;
    throw cannotContinue(graph, state, [code]);
  }
  const shared = sharedNames(state, renamesFrom(graph, state.version));
  if (shared.length > 0) throw cannotContinue(graph, state, shared);
  try {
    return await migrateRun(graph, state, { steps, at });
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const missing = [`working migration from version ${state.version} to ${graph.version} (${why})`];
    throw cannotContinue(graph, state, missing, thrown);
  }
}

function migrated(state: RunState, { entries, values }: Migrating): RunState {
  const next = copyRunState(state);
  for (const entry of entries) {
    const placed = placeEntry(entry, state.runId, next.head + 1);
    foldRecord(next, placed, entry.kind === 'migrate' ? values : undefined);
  }
  return next;
}

/** Tasks of the open super-step that have records but would not run under this code. */
function misfits(graph: CompiledGraph, state: RunState): readonly string[] {
  if (state.open.size === 0 && state.counts.size === 0) return [];
  try {
    const tasks = planTasks(graph, state, () => stateView(graph.channels, state.values));
    const planned = new Set(tasks.map(({ key }) => key));
    return [...state.open.keys()].filter((key) => !planned.has(key)).map((key) => `task ${key}`);
  } catch (thrown) {
    if (HoldfastError.is(thrown, 'HOLDFAST_VERSION')) return thrown.details.missing;
    return [`working plan of the open super-step (${String(thrown)})`];
  }
}

function cannotContinue(
  { name, version: mine }: CompiledGraph,
  { runId, version }: RunState,
  missing: readonly string[],
  cause?: unknown,
): HoldfastError {
  const details = { runId, graph: name, version, missing };
  const way =
    version < mine
      ? `Deploy version ${version} next to version ${mine}, or fix the migration`
      : 'Add what is missing, or write a migration';
  return holdfastError(
    'HOLDFAST_VERSION',
    `Run "${runId}" of "${name}" version ${version} cannot continue: this code (version ${mine}) lacks ${missing.join(', ')}. The run was not changed. ${way}.`,
    { details, ...(cause !== undefined && { cause }) },
  );
}
