import type { Awaitable } from '../../async/awaitable.ts';
import { never } from '../../async/never.ts';
import { jsonSchemaOf } from '../../channel/json-schema.ts';
import { checkBySchema } from '../../channel/standard-schema.ts';
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import type { CompiledAsk } from '../../graph/compile/compiled-graph.ts';
import { deadlineMs } from '../../time/deadline.ts';
import { privateCopy } from '../../value/frozen/private-copy.ts';
import { isRecorded } from '../fold/call/made-calls.ts';
import type { KeptAnswer } from '../fold/run-state.ts';
import { storeError } from '../fold/stored-error.ts';
import { badValue, unknownName } from './call/call-errors.ts';
import type { WaitOptions } from './call/call-receive.ts';
import { validatedBy } from './task-host.ts';
import type { RaisedWait, TaskRun } from './task-run.ts';

/** Asks a person. Returns an existing answer, or waits for one. */
export async function callAsk(task: TaskRun, name: string, show: unknown, options?: WaitOptions): Promise<unknown> {
  const question = knownQuestion(task, name);
  const made = task.call('ask', name);
  const { place, after } = made;
  const memo = task.memo(made);
  const result = task.resultOf(memo);
  if (result !== undefined) return task.replay(result);
  if (memo !== undefined && isRecorded(memo)) return task.raise(undefined);
  const outcome = await task.busy(async () => {
    const what = `The question "${name}"`;
    const checking = checkBySchema(question.show, show, (refusal) => badValue(what, name, refusal));
    const shown = await validatedBy(task.host, what, checking);
    const wait: RaisedWait = {
      ...place,
      after,
      id: task.keyOf(made),
      kind: 'ask',
      show: shown,
      schema: jsonSchemaOf(question.answer),
      ...untilOf(task, options),
    };
    return (await takeEarlyAnswer(task, wait, question)) ?? { wait };
  });
  return 'wait' in outcome ? task.raise(outcome.wait) : privateCopy(outcome.value);
}

/** An answer that came before the question was asked. */
async function takeEarlyAnswer(
  task: TaskRun,
  wait: RaisedWait,
  question: CompiledAsk,
): Promise<{ readonly value: unknown } | undefined> {
  const { owned, env } = task.host;
  if (!owned.state.answers.has(wait.name)) return undefined;
  if (!(await task.mayBegin({ type: 'ask', place: wait }))) return never();
  const kept = owned.state.answers.get(wait.name);
  if (kept === undefined) return undefined;
  const begun = task.order.begin();
  const at = env.clock.now();
  const verdict = kept.checked
    ? { value: kept.value }
    : await judge((what, checking) => validatedBy(task.host, what, checking), wait.name, question, kept);
  if (task.isDead) return never();
  if ('refused' in verdict) {
    owned.add({ kind: 'answer', at, payload: { wait: wait.id, of: kept.seq, refused: storeError(verdict.refused) } });
    return undefined;
  }
  const { after, ...payload } = wait;
  task.add('wait', { ...payload, answer: kept.seq }, after);
  await task.order.admit(begun, owned.flush());
  return verdict;
}

/** Validates an answer with the schema of its question, within a deadline. */
export async function judge(
  within: (what: string, checking: Awaitable<unknown>) => Promise<unknown>,
  name: string,
  question: CompiledAsk,
  { value }: Pick<KeptAnswer, 'value'>,
): Promise<{ readonly value: unknown } | { readonly refused: HoldfastError }> {
  try {
    const what = `The answer to "${name}"`;
    const checking = checkBySchema(question.answer, value, (refusal) => badValue(what, name, refusal));
    return { value: await within(what, checking) };
  } catch (error) {
    return { refused: error as HoldfastError };
  }
}

function untilOf(task: TaskRun, options: WaitOptions | undefined): { readonly until?: number } {
  if (options?.timeout === undefined) return {};
  return { until: deadlineMs(options.timeout, task.host.env.clock.now()) };
}

function knownQuestion(task: TaskRun, name: string): CompiledAsk {
  const { graph } = task.host;
  const question = graph.asks.get(name);
  if (question !== undefined) return question;
  throw unknownName(graph, 'question', name, [...graph.asks.keys()]);
}
