import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { NewEntry } from '../../record/record.ts';
import type { RunState } from '../fold/run-state.ts';
import { storeError } from '../fold/stored-error.ts';
import { judge } from '../task/task-calls.ts';

/** Ends the waits whose time has come: sleeps, and questions that nobody answered. */
export function timersDue(state: RunState, now: number): readonly NewEntry[] {
  if (state.waits.size === 0) return [];
  return [...state.waits.values()]
    .filter(({ until, unchecked }) => until !== undefined && until <= now && unchecked.length === 0)
    .map(({ id }) => ({ kind: 'timer', at: now, payload: { wait: id } }));
}

/** Has the questions' schemas look at answers that were given without the code at hand; the first good one wins. */
export async function judgeAnswers(graph: CompiledGraph, state: RunState, now: number): Promise<readonly NewEntry[]> {
  const entries: NewEntry[] = [];
  for (const { id, place, unchecked } of state.waits.values()) {
    const question = graph.asks.get(place.name);
    if (question === undefined) continue;
    for (const given of unchecked) {
      const verdict = await judge(place.name, question, given);
      const said = 'refused' in verdict ? { refused: storeError(verdict.refused) } : verdict;
      entries.push({ kind: 'answer', at: now, payload: { wait: id, of: given.seq, ...said } });
      if (!('refused' in verdict)) break;
    }
  }
  return entries;
}
