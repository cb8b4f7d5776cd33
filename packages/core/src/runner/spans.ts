import type { Env } from '../env/env.ts';
import type { Span } from '../env/observe/observer.ts';
import type { HoldfastError } from '../errors/holdfast-error.ts';
import type { CallPlace } from './fold/payload.ts';
import type { RunState } from './fold/run-state.ts';
import { reviveError } from './fold/stored-error.ts';
import type { TaskRun } from './task/task-run.ts';

/** The span of the super-step that a run is about to execute. */
export function superstepSpan({ runId, graph, superstep }: RunState): Span {
  return { kind: 'superstep', name: 'superstep', runId, graph, superstep: superstep + 1 };
}

/** The span of one execution of a body. */
export function nodeSpan(task: TaskRun): Span {
  const { node } = task.spec.place;
  return {
    ...placeOf(task),
    kind: 'node',
    name: `node ${node}`,
    attempt: task.attempt,
    replayed: task.seen !== undefined,
  };
}

/** The span of one attempt of a step. */
export function stepSpan(task: TaskRun, { name: step, n: call = 0 }: CallPlace, attempt: number): Span {
  return { ...placeOf(task), kind: 'step', name: `step ${step}`, step, call, attempt };
}

function placeOf({ state, spec }: TaskRun): Omit<Span & { kind: 'node' }, 'kind' | 'name' | 'attempt' | 'replayed'> {
  const { runId, graph, superstep } = state;
  const { node, item } = spec.place;
  return { runId, graph, superstep: superstep + 1, node, ...(item !== undefined && { item }) };
}

/** The error that a run has ended with. */
export function failureIn({ end }: RunState): HoldfastError | undefined {
  if (end?.status !== 'failed' || end.error === undefined) return undefined;
  return reviveError(end.error) as HoldfastError;
}

interface FailedAttempt {
  readonly task: TaskRun;
  readonly step: string | undefined;
  readonly attempt: number;
  readonly retryAt: number;
  readonly error: HoldfastError;
}

/** Tells whoever observes the engine that a node or a step will be tried again. */
export function tellRetry({ observe }: Env, { task, step, attempt, retryAt, error }: FailedAttempt): void {
  if (observe === undefined) return;
  const { runId } = task.state;
  const { node } = task.spec.place;
  const what = step === undefined ? `Node "${node}"` : `Step "${step}" of node "${node}"`;
  const at = new Date(retryAt);
  const message = `${what} of run "${runId}" failed (attempt ${attempt}) and is tried again at ${at.toISOString()}. ${error.message}`;
  observe.event({ type: 'retry', level: 'info', message, runId, node, step, attempt, retryAt: at, error });
}
