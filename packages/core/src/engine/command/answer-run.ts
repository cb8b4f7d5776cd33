import { checkBySchema } from '../../channel/schema.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { Payloads } from '../../runner/fold/payload.ts';
import type { OpenWait, RunState } from '../../runner/fold/run-state.ts';
import { badValue, unknownName } from '../../runner/task/task-calls.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkText } from '../../value/check-text.ts';
import { sameValue } from '../../value/equal.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { dueNow, isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { innerGraph } from '../query/public-wait.ts';
import { nothing, writeAsExternal } from './external-write.ts';
import { checkRoom } from './queue-room.ts';
import { ended } from './start-run.ts';
import { validated } from './validated.ts';

/** An answer as it is given. */
export interface GivenAnswer {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
  readonly by?: string | undefined;
}

/** The result of an answer. */
export interface MetByAnswer {
  /** The question belongs to an inner graph that has started in the meantime: nothing was written. */
  readonly isForInner: boolean;
  /** The run as it was found. */
  readonly found: RunHeader;
}

/** Journals an answer. If the code is available, the answer is validated first. Ends a suspension. */
export async function giveAnswer(
  parts: EngineParts,
  runId: string,
  given: GivenAnswer,
  graph: CompiledGraph | undefined,
): Promise<MetByAnswer> {
  const { id } = given;
  const name = checkText('name', given.name);
  const by = given.by === undefined ? undefined : checkText('by', given.by);
  const question = graph?.asks.get(name);
  if (graph !== undefined && question === undefined) throw unknownName(graph, 'question', name, [...graph.asks.keys()]);
  const what = `The answer to "${name}"`;
  const value =
    question === undefined
      ? frozenCopy(given.value)
      : await validated(
          parts,
          what,
          checkBySchema(question.answer, given.value, (refusal) => badValue(what, name, refusal)),
        );
  let isForInner = false;
  const found = await writeAsExternal(parts, runId, (state, { header }) => {
    isForInner = innerWait(state, name) !== undefined;
    if (isForInner) return nothing;
    const wait = openQuestion(state, { name, id });
    const earlier = wait === undefined ? (state.answered.get(name) ?? state.answers.get(name)) : wait.unchecked.at(-1);
    if (earlier !== undefined && sameValue(earlier.value, value)) return nothing;
    if (wait === undefined && earlier !== undefined) throw answered(runId, name, earlier.by);
    if (state.end !== undefined) throw ended(runId, state.end.status);
    // An answer that is valid and asked for is not kept: the run takes it at once.
    if (wait === undefined || question === undefined) checkRoom(parts, state);
    const at = parts.env.clock.now();
    const payload: Payloads['answer'] = {
      name,
      value,
      ...(wait !== undefined && { wait: wait.id }),
      ...(by !== undefined && { by }),
      ...(question !== undefined && { checked: true }),
    };
    return {
      entries: [{ kind: 'answer', at, payload }],
      header: wait === undefined && !isSuspended(header) ? {} : dueNow(header, at),
      answer: () => undefined,
    };
  });
  return { isForInner, found };
}

/** The open wait of a `.graph` node whose question this is: `node/question`. */
export function innerWait(state: RunState, name: string): OpenWait | undefined {
  const slash = name.indexOf('/');
  if (slash === -1) return undefined;
  const node = name.slice(0, slash);
  return [...state.waits.values()].find(({ place }) => place.node === node && place.name === innerGraph);
}

/** The question that an answer is for. Undefined if it is not open. @throws HOLDFAST_AMBIGUOUS, HOLDFAST_UNKNOWN_QUESTION */
function openQuestion(
  state: RunState,
  { name, id }: { readonly name: string; readonly id: string | undefined },
): OpenWait | undefined {
  const open = [...state.waits.values()].filter(({ kind, place }) => kind === 'ask' && place.name === name);
  if (id !== undefined) {
    const wait = open.find((each) => each.id === id);
    if (wait !== undefined || state.answered.get(name)?.wait === id) return wait;
    throw holdfastError(
      'HOLDFAST_UNKNOWN_QUESTION',
      `Run "${state.runId}" has no open question "${name}" with id ${id}. asks() lists the open ones.`,
      { details: { runId: state.runId, name, id, known: open.map((each) => each.id) } },
    );
  }
  if (open.length < 2) return open[0];
  const ids = open.map((wait) => wait.id);
  throw holdfastError(
    'HOLDFAST_AMBIGUOUS',
    `Run "${state.runId}" has ${open.length} open questions named "${name}": ${ids.join(', ')}. Answer one by its id.`,
    { details: { runId: state.runId, name, ids } },
  );
}

function answered(runId: string, name: string, by: string | undefined): Error {
  const from = by === undefined ? '' : ` (from ${by})`;
  return holdfastError(
    'HOLDFAST_ALREADY_ANSWERED',
    `Question "${name}" of run "${runId}" already has a different answer${from}.`,
    {
      details: { runId, name, by },
    },
  );
}
