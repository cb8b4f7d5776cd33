import { shownNames } from '../../runner/fold/call/call-names.ts';
import { innerGraph } from '../../runner/fold/payload.ts';
import { type OpenWait, type Paused, type RunState, taskKey } from '../../runner/fold/run-state.ts';
import { pauseWaitId } from '../../runner/plan/run-header.ts';
import type { Wait } from '../graph-run.ts';

type Shown = Pick<OpenWait, 'id' | 'kind' | 'place' | 'since' | 'until' | 'show' | 'child'>;

/** A wait as users see it. A `receive` of several messages is one wait per message, with the same id. */
export function publicWaits(state: RunState, wait: Shown, prefix = ''): readonly Wait[] {
  const { kind, place } = wait;
  return shownNames(kind, place).map((name) => publicWait(state, { ...wait, place: { ...place, name } }, prefix));
}

/** A wait as users see it; `prefix` is the node of the outer run that an inner graph's question belongs to. */
export function publicWait(state: RunState, wait: Shown | Paused, prefix = ''): Wait {
  const superstep = state.superstep + 1;
  if ('when' in wait) {
    const [node = ''] = wait.nodes;
    const common = {
      id: pauseWaitId,
      runId: state.runId,
      node,
      task: `${superstep}/${node}`,
      since: new Date(wait.since),
    };
    return { ...common, kind: 'pause', when: wait.when };
  }
  const { id, kind, place, since, until, show, child } = wait;
  const common = {
    id,
    runId: state.runId,
    node: place.node,
    task: `${superstep}/${taskKey(place)}`,
    since: new Date(since),
    ...(until !== undefined && { until: new Date(until) }),
  };
  switch (kind) {
    case 'ask':
      return { ...common, kind, name: `${prefix}${place.name}`, show };
    case 'child':
      return { ...common, kind, name: place.name === innerGraph ? place.node : place.name, childId: child ?? '' };
    case 'effect':
      return { ...common, kind, name: place.name, key: id };
    default:
      return { ...common, kind, name: place.name };
  }
}
