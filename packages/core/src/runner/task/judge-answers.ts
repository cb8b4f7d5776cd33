import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { NewEntry } from '../../record/record.ts';
import type { RunState } from '../fold/run-state.ts';
import { storeError } from '../fold/stored-error.ts';
import { judge } from './task-calls.ts';

/** Validates answers that were given without the code. The first valid one wins. */
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
