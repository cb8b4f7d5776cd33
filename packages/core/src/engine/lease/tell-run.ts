import type { Observation } from '../../env/observe/observation.ts';
import type { Span } from '../../env/observe/observer.ts';
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import type { RunLease } from '../../runner/run-lease.ts';
import { failureIn } from '../../runner/spans.ts';

/** The span of a run that is executed here. */
export function runSpan({ runId, graph }: RunState): Span {
  return { kind: 'run', name: `run ${graph}`, runId, graph };
}

/** The error that a run has failed with here. */
export function failedIn({ state, released, lost }: RunLease): HoldfastError | undefined {
  return released && lost === undefined ? failureIn(state) : undefined;
}

/** Tells how a run was left that is no longer executed here. */
export function tellEnd(observe: Observation, lease: RunLease): void {
  const { runId } = lease.state;
  if (lease.isLeasedElsewhere) {
    const error = lease.lost as HoldfastError;
    return observe.event({ type: 'lease-lost', level: 'info', message: error.message, runId, error });
  }
  const error = failedIn(lease);
  if (error === undefined) return;
  const message = `Run "${runId}" failed. ${error.message}`;
  observe.event({ type: 'run-failed', level: 'error', message, runId, error });
}
