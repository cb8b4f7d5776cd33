import { checkBySchema } from '../../channel/standard-schema.ts';
import { validated } from '../../channel/validated.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { questionNamed } from '../../graph/compile/question-named.ts';
import type { NewEntry } from '../../record/record.ts';
import type { Payloads } from '../../runner/fold/payload.ts';
import type { AskedQuestion, KeptAnswer, OpenWait, RunState } from '../../runner/fold/run-state.ts';
import type { LoadedRun } from '../../runner/load-run.ts';
import { badValue } from '../../runner/task/call/call-errors.ts';
import { alreadyAnswered, losers } from '../../runner/task/judge-answers.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkText } from '../../value/check/check-text.ts';
import { sameValue } from '../../value/equal.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { printable } from '../../value/printable.ts';
import { dueNow, isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { deadlineOf } from '../parts.ts';
import { pastQuestion } from '../query/past-question.ts';
import { nothing, writeAsExternal } from './external-write.ts';
import { type InnerQuestion, QuestionNames } from './name/question-names.ts';
import { checkRoom } from './queue-room.ts';
import { ended } from './start-run.ts';

/** An answer as it is given. */
export interface GivenAnswer {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
  readonly by?: string | undefined;
}

/** The result of an answer. */
export interface MetByAnswer {
  /** The question belongs to an inner graph that was started: nothing was written to this run. */
  readonly inner: InnerQuestion | undefined;
  /** The run as it was found. */
  readonly found: RunHeader;
}

/**
 * Journals an answer: to an open question, or to one that was not asked yet. If the code is available, the answer is
 * validated first. Ends a suspension.
 *
 * @throws HOLDFAST_UNKNOWN_QUESTION, HOLDFAST_AMBIGUOUS, HOLDFAST_ALREADY_ANSWERED, HOLDFAST_QUESTION_CLOSED
 */
export async function giveAnswer(
  parts: EngineParts,
  runId: string,
  given: GivenAnswer,
  graph: CompiledGraph | undefined,
): Promise<MetByAnswer> {
  const checkedGiven = {
    ...given,
    name: checkText('name', given.name),
    by: given.by === undefined ? undefined : checkText('by', given.by),
  };
  let inner: InnerQuestion | undefined;
  const found = await writeAsExternal(parts, runId, async (state, run) => {
    const names = new QuestionNames(state, graph);
    const name = names.present(checkedGiven.name);
    inner = names.inner(name);
    if (inner !== undefined) return nothing;
    const answer = await checked(parts, names.code, { ...checkedGiven, name });
    const wait = openQuestion(state, names, answer);
    const isKnown =
      wait === undefined
        ? await isRepeated(parts, run, names, answer)
        : !answer.checked && wait.unchecked.some((before) => isRepeat(before, answer));
    if (isKnown) return nothing;
    if (state.end !== undefined) throw ended(runId, state.end.status);
    // An answer that is valid and asked for is not kept: the run takes it at once.
    if (wait === undefined || !answer.checked) checkRoom(parts, state);
    const at = parts.env.clock.now();
    // Whoever executes the run has to look at an answer that was not validated.
    const wakes = wait !== undefined || names.code === undefined || isSuspended(run.header);
    return {
      entries: entriesOf(answer, wait, { runId, at, given: checkedGiven.value }),
      header: wakes ? dueNow(run.header, at) : {},
      answer: () => undefined,
    };
  });
  return { inner, found };
}

interface CheckedAnswer extends GivenAnswer {
  /** Whether the question's schema has validated it. */
  readonly checked: boolean;
}

/** Validates an answer if the code is at hand. An inner graph's is kept as it was given: its own run validates it again. */
async function checked(
  parts: EngineParts,
  graph: CompiledGraph | undefined,
  given: GivenAnswer,
): Promise<CheckedAnswer> {
  const { name, value } = given;
  const question = graph && questionNamed(graph, name);
  if (question === undefined) return { ...given, value: frozenCopy(value), checked: false };
  const what = `The answer to "${name}"`;
  const checking = checkBySchema(question.answer, value, (refusal) => badValue(what, name, refusal));
  const valid = await validated(deadlineOf(parts), what, checking);
  return graph?.asks.has(name) === true
    ? { ...given, value: valid, checked: true }
    : { ...given, value: frozenCopy(value), checked: false };
}

/** Whether somebody says again what nobody has validated yet. The same from somebody else is an answer of its own. */
function isRepeat(before: KeptAnswer, { value, by }: GivenAnswer): boolean {
  return before.by === by && sameValue(before.value, value);
}

interface Written {
  readonly runId: string;
  readonly at: number;
  /** The value before it was validated. */
  readonly given: unknown;
}

function entriesOf(
  { name, value, by, checked: isChecked }: CheckedAnswer,
  wait: OpenWait | undefined,
  { runId, at, given }: Written,
): readonly NewEntry[] {
  const payload: Payloads['answer'] = {
    name,
    value,
    ...(wait !== undefined && { wait: wait.id }),
    ...(by !== undefined && { by }),
    ...(isChecked && { checked: true }),
  };
  const answer: NewEntry = { kind: 'answer', at, payload };
  if (wait === undefined || !isChecked) return [answer];
  return [answer, ...losers(wait, { runId, name, by, value: given, rest: wait.unchecked, at })];
}

/** The question that an answer is for. Undefined if it is not open. @throws HOLDFAST_AMBIGUOUS, HOLDFAST_UNKNOWN_QUESTION */
function openQuestion(state: RunState, names: QuestionNames, { name, id }: GivenAnswer): OpenWait | undefined {
  const open = [...state.waits.values()].filter(({ kind }) => kind === 'ask');
  if (id !== undefined) {
    const wait = open.find((each) => each.id === id);
    if (wait !== undefined && !names.mayBeNamed(wait.place.name, name)) throw noSuchQuestion(state, { name, id });
    return wait;
  }
  const named = open.filter(({ place }) => names.isNamed(place.name, name));
  if (named.length < 2) return named[0];
  const ids = named.map((wait) => wait.id);
  throw holdfastError(
    'HOLDFAST_AMBIGUOUS',
    `Run "${state.runId}" has ${named.length} open questions named "${name}": ${ids.join(', ')}. Answer one by its id.`,
    { details: { runId: state.runId, name, ids } },
  );
}

/**
 * Whether an answer to a question that is not open repeats an earlier one. False if it comes before its question.
 *
 * @throws HOLDFAST_ALREADY_ANSWERED, HOLDFAST_QUESTION_CLOSED, HOLDFAST_UNKNOWN_QUESTION
 */
async function isRepeated(
  parts: EngineParts,
  run: LoadedRun,
  names: QuestionNames,
  { name, id, value }: GivenAnswer,
): Promise<boolean> {
  const { state } = run;
  const last = [...state.asked].findLast(([stored]) => names.isNamed(stored, name))?.[1];
  let earlier: AskedQuestion['answer'];
  if (id !== undefined) {
    const past = last?.wait === id ? last : await pastQuestion(parts, run, id);
    if (past === undefined) throw noSuchQuestion(state, { name, id });
    earlier = past.answer;
  } else {
    earlier = last === undefined ? state.answers.get(name) : last.answer;
  }
  if (earlier !== undefined) {
    if (sameValue(earlier.value, value)) return true;
    throw alreadyAnswered(state.runId, name, earlier.by);
  }
  if (last === undefined && id === undefined) return false;
  // A failed run asks again when it is resumed.
  if (state.end?.status === 'failed') throw ended(state.runId, 'failed');
  throw questionClosed(state.runId, name);
}

function noSuchQuestion({ runId, waits }: RunState, { name, id }: Pick<GivenAnswer, 'name' | 'id'>): Error {
  const known = [...waits.values()].filter(({ kind }) => kind === 'ask').map((wait) => wait.id);
  const which = id === undefined ? '' : ` with the id "${printable(id)}"`;
  return holdfastError(
    'HOLDFAST_UNKNOWN_QUESTION',
    `Run "${runId}" has no question "${printable(name)}"${which}. asks() lists the open ones.`,
    { details: { runId, name, id, known } },
  );
}

function questionClosed(runId: string, name: string): Error {
  return holdfastError(
    'HOLDFAST_QUESTION_CLOSED',
    `Question "${name}" of run "${runId}" is no longer open: it timed out, or the run continued without an answer. asks() lists the open ones.`,
    { details: { runId, name } },
  );
}
