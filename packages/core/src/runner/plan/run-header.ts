import type { HeaderState, RunStatus, WaitHead } from '../../store/contract/run.ts';
import { shownNames } from '../fold/call/call-names.ts';
import type { RunState } from '../fold/run-state.ts';
import { hasWork, nextWakeAt } from './readiness.ts';

/** The wait id of a pause. A run has at most one. */
export const pauseWaitId = 'pause';

/** Derives the header of a run from its journal. Tags belong to the user and stay unchanged. */
export function headerOf(state: RunState, now: number): Omit<HeaderState, 'tags'> {
  const works = hasWork(state, now);
  return {
    status: statusOf(state, works),
    superstep: state.superstep,
    frontier: state.end !== undefined && state.end.status !== 'failed' ? [] : state.frontier,
    waits: waitHeads(state),
    wakeAt: works ? now : (nextWakeAt(state) ?? null),
  };
}

function statusOf({ end }: RunState, works: boolean): RunStatus {
  if (end !== undefined) return works ? 'pending' : end.status;
  return works ? 'running' : 'waiting';
}

function waitHeads({ waits, paused, end, deadline }: RunState): readonly WaitHead[] {
  if (end !== undefined) return none;
  if (paused !== undefined) {
    const { nodes, when, since } = paused;
    const pause = { id: pauseWaitId, kind: 'pause', name: when, node: nodes[0] ?? '', since } as const;
    return [deadline === undefined ? pause : { ...pause, until: deadline }];
  }
  if (waits.size === 0) return none;
  return [...waits.values()].flatMap(({ id, kind, place, since, until: own }) => {
    // No wait outlives the run.
    const until = own === undefined || deadline === undefined ? (own ?? deadline) : Math.min(own, deadline);
    const rest = { node: place.node, since, ...(until !== undefined && { until }) };
    return shownNames(kind, place).map((name) => ({ id, kind, name, ...rest }));
  });
}

const none: readonly WaitHead[] = [];
