import type { NewEntry } from '../../record/record.ts';
import type { RunState } from '../fold/run-state.ts';

/** Ends the waits that are due: sleeps, and questions that timed out. */
export function timersDue(state: RunState, now: number): readonly NewEntry[] {
  if (state.waits.size === 0) return [];
  return [...state.waits.values()]
    .filter(({ until, unchecked }) => until !== undefined && until <= now && unchecked.length === 0)
    .map(({ id }) => ({ kind: 'timer', at: now, payload: { wait: id } }));
}
