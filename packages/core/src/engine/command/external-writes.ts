import { checkBySchema } from '../../channel/schema.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { findEntry } from '../../journal/read-entries.ts';
import type { Decision } from '../../journal/run-writer.ts';
import { findRun, type LoadedRun } from '../../runner/fold/load-run.ts';
import type { Payloads } from '../../runner/fold/payload.ts';
import type { OpenWait, RunState } from '../../runner/fold/run-state.ts';
import { badValue, unknownName } from '../../runner/task/task-calls.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { sameValue } from '../../value/equal.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { checkRecordId } from '../../value/id.ts';
import { dueNow, dueUnlessSuspended, isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { innerGraph } from '../query/public-wait.ts';
import type { EffectOutcome } from '../run.ts';
import { ended } from './start-run.ts';

/** An answer as it is given. */
export interface GivenAnswer {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
  readonly by?: string | undefined;
}

/** Decides what to write about a run as it was found. */
type Decide = (state: RunState, found: LoadedRun) => Promise<Decision<void>> | Decision<void>;

const nothing: Decision<void> = { done: undefined };

/** Writes to a run as an external writer, deciding on the run as it is; the header that was decided on. @throws HOLDFAST_NOT_FOUND */
async function writeAsExternal(parts: EngineParts, runId: string, decide: Decide): Promise<RunHeader> {
  const { store, writer, leases } = parts;
  let header: RunHeader | undefined;
  await leases.knowTime();
  await writer.writeOn(runId, {
    read: () => findRun(store, runId),
    decide: (found) => {
      header = found?.header;
      if (found === undefined || found.header.hidden || found.header.kind === 'journal') throw notFound(runId);
      return decide(found.state, found);
    },
  });
  if (header === undefined) throw notFound(runId);
  return header;
}

/** The error for a run that is not there. */
export function notFound(runId: string): Error {
  return holdfastError('HOLDFAST_NOT_FOUND', `There is no run ${runId} that the engine executes.`, {
    details: { runId },
  });
}

/** What an answer met. */
export interface MetByAnswer {
  /** The question belongs to an inner graph that has been started in the meantime: nothing was written. */
  readonly isForInner: boolean;
  /** The run as it was found. */
  readonly found: RunHeader;
}

/** Journals an answer; with the code at hand it is validated first. A suspended run no longer is. */
export async function giveAnswer(
  parts: EngineParts,
  runId: string,
  given: GivenAnswer,
  graph: CompiledGraph | undefined,
): Promise<MetByAnswer> {
  const { name, id, by } = given;
  const question = graph?.asks.get(name);
  if (graph !== undefined && question === undefined) throw unknownName(graph, 'question', name, [...graph.asks.keys()]);
  const value =
    question === undefined
      ? frozenCopy(given.value)
      : await checkBySchema(question.answer, given.value, (refusal) =>
          badValue(`The answer to ${name}`, name, refusal),
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

/** The question that an answer is for; undefined when it is not open. @throws HOLDFAST_AMBIGUOUS, HOLDFAST_UNKNOWN_QUESTION */
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
      `No question ${name} with id ${id} is open in run ${state.runId}. asks() lists those that are.`,
      { details: { runId: state.runId, name, id, known: open.map((each) => each.id) } },
    );
  }
  if (open.length < 2) return open[0];
  const ids = open.map((wait) => wait.id);
  throw holdfastError(
    'HOLDFAST_AMBIGUOUS',
    `${open.length} questions named ${name} are open in run ${state.runId}: ${ids.join(', ')}. Answer one by its id.`,
    { details: { runId: state.runId, name, ids } },
  );
}

function answered(runId: string, name: string, by: string | undefined): Error {
  const whom = by === undefined ? 'somebody' : by;
  return holdfastError(
    'HOLDFAST_ALREADY_ANSWERED',
    `The question ${name} of run ${runId} was answered otherwise by ${whom}.`,
    {
      details: { runId, name, by },
    },
  );
}

/** A message as it is sent. */
export interface GivenMessage {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
}

/** Journals a message; with the code at hand it is validated first. A suspended run keeps it and stays suspended. */
export async function sendMessage(
  parts: EngineParts,
  runId: string,
  { name, value: given, id }: GivenMessage,
  graph: CompiledGraph | undefined,
): Promise<RunHeader> {
  const schema = graph?.receives.get(name);
  if (graph !== undefined && schema === undefined)
    throw unknownName(graph, 'message', name, [...graph.receives.keys()]);
  const value =
    schema === undefined
      ? frozenCopy(given)
      : await checkBySchema(schema, given, (refusal) => badValue(`The message ${name}`, name, refusal));
  // Messages have ids in the journal, so that one is found however long ago it was sent.
  const recordId = id === undefined ? undefined : checkRecordId(`message:${id}`);
  return writeAsExternal(parts, runId, async (state, { header, segments }) => {
    const known = recordId && (await findEntry(parts.store, segments, recordId));
    if (known) return sameMessage(runId, id, known.payload, { name, value });
    const status = state.end?.status;
    if (status === 'completed' || status === 'cancelled') throw ended(runId, status);
    const at = parts.env.clock.now();
    const payload = { name, value, ...(schema !== undefined && { checked: true }) };
    const isAwaited = [...state.waits.values()].some(({ kind, place }) => kind === 'receive' && place.name === name);
    return {
      entries: [{ kind: 'message', at, payload, ...(recordId !== undefined && { id: recordId }) }],
      header: isAwaited ? dueUnlessSuspended(header, at) : {},
      answer: () => undefined,
    };
  });
}

function sameMessage(
  runId: string,
  id: string | undefined,
  known: unknown,
  sent: Pick<GivenMessage, 'name' | 'value'>,
): Decision<void> {
  const { name, value } = known as Pick<GivenMessage, 'name' | 'value'>;
  if (name === sent.name && sameValue(value, sent.value)) return nothing;
  throw holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Run ${runId} was sent another message with the id ${id}. Choose another id.`,
    {
      details: { runId, id },
    },
  );
}

/** Journals what became of an effect of unknown outcome. A suspended run stays suspended. @throws HOLDFAST_NOT_FOUND */
export async function settleEffect(
  parts: EngineParts,
  runId: string,
  key: string,
  given: EffectOutcome,
): Promise<RunHeader> {
  const outcome = checkEffectOutcome(given);
  return writeAsExternal(parts, runId, (state, { header }) => {
    if (state.waits.get(key)?.kind !== 'effect') {
      throw holdfastError('HOLDFAST_NOT_FOUND', `No effect with the key ${key} waits in run ${runId}.`, {
        details: { runId, key },
      });
    }
    const at = parts.env.clock.now();
    return {
      entries: [{ kind: 'settle', at, payload: { key, outcome } }],
      header: dueUnlessSuspended(header, at),
      answer: () => undefined,
    };
  });
}

function checkEffectOutcome(outcome: EffectOutcome): EffectOutcome {
  if (outcome === 'retry') return outcome;
  if (typeof outcome === 'object' && outcome !== null) {
    if ('error' in outcome && typeof outcome.error === 'string') return { error: outcome.error };
    if ('result' in outcome) return { result: frozenCopy(outcome.result) };
  }
  throw holdfastError('HOLDFAST_INVALID_OPTION', "resolve() takes { result }, { error: 'why' } or 'retry'.", {
    details: { option: 'outcome' },
  });
}

/** Journals the wish that the run ends; false when it has ended. */
export async function askToCancel(parts: EngineParts, runId: string, reason: string | undefined): Promise<boolean> {
  let isOpen = true;
  await writeAsExternal(parts, runId, (state, { header }) => {
    isOpen = state.end === undefined;
    if (!isOpen || state.cancel !== undefined) return nothing;
    const at = parts.env.clock.now();
    return {
      entries: [{ kind: 'cancel', at, payload: reason === undefined ? {} : { reason } }],
      header: dueNow(header, at),
      answer: () => undefined,
    };
  });
  return isOpen;
}
