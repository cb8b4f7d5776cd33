import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { NewEntry } from '../../record/record.ts';
import type { Clock } from '../../time/clock.ts';
import type { RunState } from '../fold/run-state.ts';
import { storeError } from '../fold/stored-error.ts';

/** A cycle in a graph may be intended; an endless one is not. */
const defaultMaxSupersteps = 100;

/** Fails a run that has reached its limit of super-steps; undefined below the limit. */
export function stepLimit(graph: CompiledGraph, state: RunState, clock: Clock): NewEntry | undefined {
  const { runId, turn, settings, open } = state;
  const byDefault = graph.hasCycle ? defaultMaxSupersteps : Number.POSITIVE_INFINITY;
  const maxSupersteps = settings.maxSupersteps ?? graph.maxSupersteps ?? byDefault;
  if (turn.steps < maxSupersteps || open.size > 0) return undefined;
  const error = holdfastError(
    'HOLDFAST_MAX_SUPERSTEPS',
    `Run "${runId}" reached its limit of ${turn.steps} super-steps. Its state is saved: call resume({ maxSupersteps }) to continue.`,
    { details: { runId, maxSupersteps } },
  );
  return { kind: 'run-end', at: clock.now(), payload: { status: 'failed', error: storeError(error) } };
}

/** The error for a run that has not ended in time. */
export function runTimeout({ runId, settings }: RunState): HoldfastError {
  const { timeoutMs } = settings;
  return holdfastError(
    'HOLDFAST_TIMEOUT',
    `Run "${runId}" has not ended within ${timeoutMs} ms. Its state is saved: call resume() to give it the same time again.`,
    { details: { runId, timeoutMs } },
  );
}

/** Stops a run before nodes that it was told to pause at, unless someone has resumed it there. */
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

/** The error for a run that kills every process that executes it. */
export function crashLoop(runId: string, takeovers: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_CRASH_LOOP',
    `Run "${runId}" was taken over ${takeovers} times without a commit in between: its code kills the process. Fix the code, then resume the run.`,
    { details: { runId, takeovers } },
  );
}
