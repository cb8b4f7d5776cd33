import { applyUpdates } from '../../channel/update/apply-updates.ts';
import { stateView } from '../../channel/update/state-view.ts';
import type { FoldState } from '../../delta/cell.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { NewEntry } from '../../record/record.ts';
import type { QueuedTurn, RunState } from '../fold/run-state.ts';
import { firstFrontier } from './next-frontier.ts';

/** A record that changes the channels, and the channels after it. */
export interface Change {
  readonly entry: NewEntry;
  readonly values: FoldState;
}

/** Begins the next turn: merges its input into the state, and continues from 'start'. */
export function turnEntry(graph: CompiledGraph, state: RunState, queued: QueuedTurn, at: number): Change {
  const { turn, update, input, settings, seq } = queued;
  const applied = applyUpdates(graph.channels, state.values, [update]);
  const { next } = firstFrontier(graph, () => stateView(graph.channels, applied.state));
  const payload = {
    of: seq,
    turn,
    next,
    ...(input !== undefined && { input }),
    ...(applied.isChanged && { delta: applied.delta }),
    ...(settings !== undefined && { settings }),
  };
  return { entry: { kind: 'turn', at, payload }, values: applied.state };
}
