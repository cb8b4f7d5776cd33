import { validated } from '../../channel/validated.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { questionNamed, questionNames } from '../../graph/compile/question-named.ts';
import type { NewEntry } from '../../record/record.ts';
import { sameValue } from '../../value/equal.ts';
import type { KeptAnswer, OpenWait, RunState } from '../fold/run-state.ts';
import { storeError } from '../fold/stored-error.ts';
import { unknownName } from './call/call-errors.ts';
import { judge } from './task-calls.ts';

/** Validates answers that were given without the code. The first valid one wins, and the others are refused. */
export async function judgeAnswers(
  graph: CompiledGraph,
  state: RunState,
  deadline: Parameters<typeof validated>[0],
): Promise<readonly NewEntry[]> {
  const at = deadline.clock.now();
  const entries = unknownAnswers(graph, state, at);
  for (const wait of state.waits.values()) {
    const { id, place, unchecked } = wait;
    const question = graph.asks.get(place.name);
    if (question === undefined) continue;
    for (const [index, given] of unchecked.entries()) {
      const within: Parameters<typeof judge>[0] = (what, checking) => validated(deadline, what, checking);
      const verdict = await judge(within, place.name, question, given);
      if ('refused' in verdict) {
        entries.push(refusal(id, given, verdict.refused, at));
        continue;
      }
      entries.push({ kind: 'answer', at, payload: { wait: id, of: given.seq, ...verdict } });
      const rest = unchecked.slice(index + 1);
      entries.push(...losers(wait, { runId: state.runId, name: place.name, ...given, rest, at }));
      break;
    }
  }
  return entries;
}

/** Refuses kept answers to questions that the graph does not have: nothing would ever ask for them. */
function unknownAnswers(graph: CompiledGraph, state: RunState, at: number): NewEntry[] {
  const entries: NewEntry[] = [];
  for (const [name, kept] of state.answers) {
    if (kept.checked || questionNamed(graph, name) !== undefined) continue;
    entries.push(refusal('', kept, unknownName(graph, 'question', name, questionNames(graph)), at));
  }
  return entries;
}

interface Won {
  readonly runId: string;
  readonly name: string;
  /** Who gave the answer that counts. */
  readonly by: string | undefined;
  /** The value that counts, as it was given. */
  readonly value: unknown;
  /** The answers after it. */
  readonly rest: readonly KeptAnswer[];
  readonly at: number;
}

/** Refuses the other answers: whoever gave one was told that it was recorded, not that it counts. */
export function losers({ id }: Pick<OpenWait, 'id'>, { runId, name, by, value, rest, at }: Won): readonly NewEntry[] {
  return rest
    .filter((given) => !sameValue(given.value, value))
    .map((given) => refusal(id, given, alreadyAnswered(runId, name, by), at));
}

function refusal(wait: string, { seq }: KeptAnswer, error: HoldfastError, at: number): NewEntry {
  return { kind: 'answer', at, payload: { wait, of: seq, refused: storeError(error) } };
}

/** The error for an answer that came second. */
export function alreadyAnswered(runId: string, name: string, by: string | undefined): HoldfastError {
  const from = by === undefined ? '' : ` (from ${by})`;
  return holdfastError(
    'HOLDFAST_ALREADY_ANSWERED',
    `Question "${name}" of run "${runId}" already has a different answer${from}.`,
    { details: { runId, name, by } },
  );
}
