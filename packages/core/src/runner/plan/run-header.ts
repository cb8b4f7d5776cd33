import type { HeaderState, RunStatus, WaitHead } from '../../store/contract/run.ts';
import type { RunState } from '../fold/run-state.ts';
import { hasWork, nextWakeAt } from './readiness.ts';

/** The id of the wait that a pause is: a run has at most one. */
export const pauseWaitId = 'pause';

/** What the header says of a run: all of it follows from its journal. Tags are the user's own and stay. */
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

function waitHeads({ waits, paused, end }: RunState): readonly WaitHead[] {
  if (end !== undefined) return none;
  if (paused !== undefined) {
    const { nodes, when, since } = paused;
    return [{ id: pauseWaitId, kind: 'pause', name: when, node: nodes[0] ?? '', since }];
  }
  if (waits.size === 0) return none;
  return Array.from(waits.values(), ({ id, kind, place, since, until }) => ({
    id,
    kind,
    name: place.name,
    node: place.node,
    since,
    ...(until !== undefined && { until }),
  }));
}

const none: readonly WaitHead[] = [];
