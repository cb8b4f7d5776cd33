import { never } from '../../async/never.ts';
import { jsonSchemaOf } from '../../channel/json-schema.ts';
import { checkBySchema, issuesText, type SchemaRefusal } from '../../channel/schema.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledAsk, CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { checkNewRecord, type NewRecord } from '../../record/check-new-record.ts';
import { type Duration, durationMs } from '../../time/duration.ts';
import { printable } from '../../value/printable.ts';
import type { CallPlace } from '../fold/payload.ts';
import type { KeptAnswer, KeptMessage } from '../fold/run-state.ts';
import { storeError } from '../fold/stored-error.ts';
import { keyInRun } from './call/call-key.ts';
import { checkCallName } from './call/call-name.ts';
import type { RaisedWait, TaskRun } from './task-run.ts';

interface WaitOptions {
  readonly timeout?: Duration | undefined;
}

/** Asks a person. Returns an existing answer, or waits for one. */
export async function callAsk(task: TaskRun, name: string, show: unknown, options?: WaitOptions): Promise<unknown> {
  const question = knownQuestion(task, name);
  const place = task.place(name);
  const memo = task.memo(place);
  if (memo?.result !== undefined) return task.replay(memo.result);
  if (memo?.wait !== undefined) return task.raise(undefined);
  const outcome = await task.busy(async () => {
    const shown = await checkBySchema(question.show, show, (refusal) =>
      badValue(`The question "${name}"`, name, refusal),
    );
    const wait: RaisedWait = {
      ...place,
      id: keyOf(task, place),
      kind: 'ask',
      show: shown,
      schema: jsonSchemaOf(question.answer),
      ...untilOf(task, options),
    };
    return (await takeEarlyAnswer(task, wait, question)) ?? { wait };
  });
  return 'wait' in outcome ? task.raise(outcome.wait) : outcome.value;
}

/** An answer that came before the question was asked. */
async function takeEarlyAnswer(
  task: TaskRun,
  wait: RaisedWait,
  question: CompiledAsk,
): Promise<{ readonly value: unknown } | undefined> {
  const { owned, env } = task.host;
  if (!owned.state.answers.has(wait.name)) return undefined;
  await task.order.caughtUp();
  const kept = owned.state.answers.get(wait.name);
  if (kept === undefined) return undefined;
  const begun = task.order.begin();
  const at = env.clock.now();
  const verdict = kept.checked ? { value: kept.value } : await judge(wait.name, question, kept);
  if (task.isDead) return never();
  if ('refused' in verdict) {
    owned.add({ kind: 'answer', at, payload: { wait: wait.id, of: kept.seq, refused: storeError(verdict.refused) } });
    return undefined;
  }
  owned.add({ kind: 'wait', at, payload: { ...wait, answer: kept.seq } });
  await task.order.admit(begun, owned.flush());
  return verdict;
}

/** Validates an answer with the schema of its question. */
export async function judge(
  name: string,
  question: CompiledAsk,
  { value }: Pick<KeptAnswer, 'value'>,
): Promise<{ readonly value: unknown } | { readonly refused: HoldfastError }> {
  try {
    return {
      value: await checkBySchema(question.answer, value, (refusal) =>
        badValue(`The answer to "${name}"`, name, refusal),
      ),
    };
  } catch (error) {
    return { refused: error as HoldfastError };
  }
}

/** Receives the next message with that name, or waits for it. */
export async function callReceive(task: TaskRun, name: string, options?: WaitOptions): Promise<unknown> {
  const schema = task.host.graph.receives.get(name);
  if (schema === undefined) throw unknownName(task.host.graph, 'message', name, [...task.host.graph.receives.keys()]);
  const place = task.place(name);
  const memo = task.memo(place);
  if (memo?.result !== undefined) return task.replay(memo.result);
  const taken = await task.busy(() => takeMessage(task, place));
  if (taken !== undefined) return taken.value;
  if (memo?.wait !== undefined) return task.raise(undefined);
  return task.raise({ ...place, id: keyOf(task, place), kind: 'receive', ...untilOf(task, options) });
}

async function takeMessage(task: TaskRun, place: CallPlace): Promise<{ readonly value: unknown } | undefined> {
  const { owned, env, graph } = task.host;
  const schema = graph.receives.get(place.name);
  await task.order.caughtUp();
  const begun = task.order.begin();
  for (;;) {
    // Flush first: buffered records consume messages too.
    await owned.flush();
    if (task.isDead) return never();
    const message = owned.state.messages.get(place.name)?.[0];
    if (message === undefined || schema === undefined) return undefined;
    const at = env.clock.now();
    const name = place.name;
    try {
      const value = await checkedMessage(name, schema, message);
      if (task.isDead) return await never();
      if (owned.state.messages.get(name)?.[0]?.seq !== message.seq) continue;
      owned.add({ kind: 'result', at, payload: { ...place, take: message.seq } });
      await task.order.admit(begun, owned.flush());
      return { value };
    } catch (error) {
      if (owned.lost !== undefined) throw error;
      owned.add({ kind: 'message', at, payload: { name, of: message.seq, refused: storeError(error) } });
    }
  }
}

/** The value of a message, validated by its schema unless it already was. */
function checkedMessage(
  name: string,
  schema: Parameters<typeof checkBySchema>[0],
  { value, checked }: KeptMessage,
): unknown {
  return checked ? value : checkBySchema(schema, value, (refusal) => badValue(`The message "${name}"`, name, refusal));
}

/** Sleeps durably: the wake time is in the store, not in memory. */
export function callSleep(task: TaskRun, name: string, duration: Duration): Promise<void> {
  const ms = durationMs(duration);
  const place = task.place(checkCallName(name));
  const memo = task.memo(place);
  if (memo?.result !== undefined) return task.replay(memo.result);
  if (memo?.wait !== undefined) return task.raise(undefined);
  const until = task.host.env.clock.now() + ms;
  return task.raise({ ...place, id: keyOf(task, place), kind: 'sleep', until });
}

/** Writes a user's record once, however often the body runs. */
export function callNote(task: TaskRun, record: NewRecord): void {
  if (task.isDead) return;
  const { owned, env } = task.host;
  const { id, ...rest } = checkNewRecord(record, owned.bounds);
  // Reserved: no step can have this name.
  const noteId = id ?? keyOf(task, task.place('.note'));
  if (owned.state.notes.has(noteId)) return;
  owned.state.notes.add(noteId);
  owned.add({ kind: 'note', at: env.clock.now(), id: noteId, ...rest });
}

function keyOf(task: TaskRun, place: CallPlace): string {
  return keyInRun(task.state, place);
}

function untilOf(task: TaskRun, options: WaitOptions | undefined): { readonly until?: number } {
  if (options?.timeout === undefined) return {};
  return { until: task.host.env.clock.now() + durationMs(options.timeout) };
}

function knownQuestion(task: TaskRun, name: string): CompiledAsk {
  const { graph } = task.host;
  const question = graph.asks.get(name);
  if (question !== undefined) return question;
  throw unknownName(graph, 'question', name, [...graph.asks.keys()]);
}

/** The error for a question or message that a graph does not declare. */
export function unknownName(
  graph: Pick<CompiledGraph, 'name'>,
  what: 'question' | 'message',
  name: string,
  known: readonly string[],
): HoldfastError {
  const list = known.length === 0 ? 'It has none' : `It has ${known.join(', ')}`;
  return holdfastError(
    what === 'question' ? 'HOLDFAST_UNKNOWN_QUESTION' : 'HOLDFAST_UNKNOWN_MESSAGE',
    `Graph "${graph.name}" has no ${what} named "${printable(name)}". ${list}.`,
    { details: { graph: graph.name, name, known } },
  );
}

/** The error for a value that a schema refused. */
export function badValue(what: string, name: string, { path, issues, cause }: SchemaRefusal): HoldfastError {
  return holdfastError('HOLDFAST_INVALID_VALUE', `${what} is invalid${issuesText(issues)}.`, {
    details: { name, path, issues },
    ...(cause !== undefined && { cause }),
  });
}
