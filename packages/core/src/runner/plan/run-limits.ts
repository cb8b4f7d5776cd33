import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { NewEntry } from '../../record/record.ts';
import type { Clock } from '../../time/clock.ts';
import type { RunState } from '../fold/run-state.ts';
import { storeError } from '../fold/stored-error.ts';

/** A graph that goes in circles may be meant to; one that goes on for ever is not. */
const defaultMaxSteps = 100;

/** Fails a run that has done as many steps as it may; undefined while it may do more. */
export function stepLimit(graph: CompiledGraph, state: RunState, clock: Clock): NewEntry | undefined {
  const { runId, turn, settings, open } = state;
  const maxSupersteps = settings.maxSupersteps ?? (graph.hasCycle ? defaultMaxSteps : Number.POSITIVE_INFINITY);
  if (turn.steps < maxSupersteps || open.size > 0) return undefined;
  const error = holdfastError(
    'HOLDFAST_MAX_SUPERSTEPS',
    `Run ${runId} has done ${turn.steps} steps and may do no more. Its state is saved: resume({ maxSupersteps }) goes on.`,
    { details: { runId, maxSupersteps } },
  );
  return { kind: 'run-end', at: clock.now(), payload: { status: 'failed', error: storeError(error) } };
}

/** Stops a run before nodes that it was told to pause at, unless somebody has let it through. */
export function pauseBefore(state: RunState, clock: Clock): NewEntry | undefined {
  const { frontier, settings, passedSuperstep, superstep, open } = state;
  if (settings.pauseBefore === undefined || passedSuperstep === superstep || open.size > 0) return undefined;
  const nodes = frontier.filter((node) => settings.pauseBefore?.includes(node));
  return nodes.length === 0 ? undefined : { kind: 'pause', at: clock.now(), payload: { when: 'before', nodes } };
}

/** Stops a run after nodes that it was told to pause at. */
export function pauseAfter({ frontier, settings }: RunState, at: number): NewEntry | undefined {
  const nodes = settings.pauseAfter?.filter((node) => frontier.includes(node));
  return nodes === undefined || nodes.length === 0
    ? undefined
    : { kind: 'pause', at, payload: { when: 'after', nodes } };
}

/** The error for a run that kills whoever takes it up. */
export function crashLoop(runId: string, claims: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_CRASH_LOOP',
    `Run ${runId} was taken up ${claims - 1} times without one commit: whoever runs it dies. Mend its code, then resume it.`,
    { details: { runId, claims: claims - 1 } },
  );
}

/** The error for a run that needs what the code at hand has not. */
export function cannotGoOn(
  { name }: CompiledGraph,
  { runId, version }: RunState,
  missing: readonly string[],
): HoldfastError {
  return holdfastError(
    'HOLDFAST_VERSION',
    `Run ${runId} of ${name} version ${version} cannot go on with this code, which lacks ${missing.join(', ')}. It was left as it is; bring them back, or write a migration.`,
    { details: { runId, graph: name, version, missing } },
  );
}
