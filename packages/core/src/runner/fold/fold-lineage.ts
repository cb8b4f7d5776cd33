import type { FoldState } from '../../delta/cell.ts';
import { foldEntry } from '../../history/fold.ts';
import type { Entry } from '../../record/record.ts';
import { closeStep, forgetFailures } from './open-superstep.ts';
import { payloadOf } from './payload.ts';
import { deadlineOf } from './run-deadline.ts';
import type { RunState } from './run-state.ts';

/** Turns the state of the base into that of its fork: a different run at the same position, with its own end. */
export function foldFork(state: RunState, entry: Entry, values?: FoldState): void {
  const { delta, next, settings } = payloadOf(entry, 'fork');
  state.runId = entry.runId;
  state.values = values ?? foldEntry(state.values, entry);
  // The time that the base was given is not the fork's.
  state.settings = { ...state.settings, timeoutMs: undefined, ...settings };
  state.deadline = deadlineOf(state.settings, entry.at);
  state.wakes = undefined;
  state.cancel = undefined;
  state.droppedTurns = [...state.droppedTurns, ...state.turns.map(({ seq }) => seq)];
  state.turns = [];
  state.abandoned = new Set();
  if (next !== undefined) state.paused = undefined;
  if (delta !== undefined || next !== undefined) closeStep(state);
  if (next !== undefined) {
    state.frontier = next;
    state.joins = new Map();
  }
  if (state.end?.status !== 'completed' || next !== undefined) state.end = undefined;
  for (const memo of state.open.values()) {
    forgetFailures(memo);
    // A child belongs to the base: the fork starts its own.
    for (const [key, call] of memo.calls) {
      if (call.wait?.kind !== 'child') continue;
      state.waits.delete(call.wait.id);
      state.asked.delete(`${memo.place.node}/`);
      memo.calls.delete(key);
      memo.parked = undefined;
    }
  }
}
