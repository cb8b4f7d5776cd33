import { never } from '../../../async/never.ts';
import { checkBySchema } from '../../../channel/standard-schema.ts';
import { holdfastError } from '../../../errors/holdfast-error.ts';
import { deadlineMs, type Until } from '../../../time/deadline.ts';
import { privateCopy } from '../../../value/frozen/private-copy.ts';
import { messagesNamed, nameOfMessages } from '../../fold/call/call-names.ts';
import { isRecorded } from '../../fold/call/made-calls.ts';
import { oldestMessage } from '../../fold/fold-external.ts';
import type { KeptMessage } from '../../fold/run-state.ts';
import { storeError } from '../../fold/stored-error.ts';
import { validatedBy } from '../task-host.ts';
import type { MadeCall, TaskRun } from '../task-run.ts';
import { badValue, unknownName } from './call-errors.ts';

/** How long a call waits. */
export interface WaitOptions {
  readonly timeout?: Until | undefined;
}

/** A message that was taken. */
interface Taken {
  readonly name: string;
  readonly value: unknown;
}

/** Receives the next message with that name, or waits for it. */
export async function callReceive(task: TaskRun, name: string, options?: WaitOptions): Promise<unknown> {
  return (await receiveAny(task, [name], options))?.value;
}

/** Receives the next message with one of these names, the oldest first, and tells which it is. */
export async function callReceiveAny(
  task: TaskRun,
  names: readonly string[],
  options?: WaitOptions,
): Promise<Taken | undefined> {
  if (names.length === 0)
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'receive([]) would wait forever: pass at least one name.');
  return receiveAny(task, [...new Set(names)], options);
}

/** Undefined if it timed out. */
async function receiveAny(task: TaskRun, names: readonly string[], options?: WaitOptions): Promise<Taken | undefined> {
  const { graph, env } = task.host;
  for (const name of names) {
    if (!graph.receives.has(name)) throw unknownName(graph, 'message', name, [...graph.receives.keys()]);
  }
  const made = task.call('receive', nameOfMessages(names));
  const { place, after } = made;
  const memo = task.memo(made);
  const result = task.resultOf(memo);
  if (result !== undefined) {
    const value = await task.replay(result);
    return result.from === undefined ? undefined : { name: result.from, value };
  }
  // It has timed out meanwhile.
  if (memo?.result !== undefined) return task.raise(undefined);
  const taken = await task.busy(() => takeMessage(task, made));
  if (taken !== undefined) return taken;
  if (memo !== undefined && isRecorded(memo)) return task.raise(undefined);
  const until = options?.timeout === undefined ? {} : { until: deadlineMs(options.timeout, env.clock.now()) };
  return task.raise({ ...place, after, id: task.keyOf(made), kind: 'receive', ...until });
}

async function takeMessage(task: TaskRun, made: MadeCall): Promise<Taken | undefined> {
  const { place, after } = made;
  const { owned, env } = task.host;
  const names = messagesNamed(place.name);
  if (!(await task.mayBegin(made))) return never();
  const begun = task.order.begin();
  for (;;) {
    // Flush first: buffered records consume messages too.
    await owned.flush();
    if (task.isDead) return never();
    const oldest = oldestMessage(owned.state.messages, names);
    if (oldest === undefined) return undefined;
    const { name, message } = oldest;
    const at = env.clock.now();
    try {
      const value = await checkedMessage(task, name, message);
      if (task.isDead) return await never();
      if (oldestMessage(owned.state.messages, names)?.message.seq !== message.seq) continue;
      task.add('result', { ...place, take: message.seq }, after);
      await task.order.admit(begun, owned.flush());
      return { name, value: privateCopy(value) };
    } catch (error) {
      if (owned.lost !== undefined) throw error;
      owned.add({ kind: 'message', at, payload: { name, of: message.seq, refused: storeError(error) } });
    }
  }
}

/** The value of a message, validated by its schema unless it already was. */
function checkedMessage(task: TaskRun, name: string, { value, checked }: KeptMessage): unknown {
  const schema = task.host.graph.receives.get(name);
  if (checked || schema === undefined) return value;
  const what = `The message "${name}"`;
  const checking = checkBySchema(schema, value, (refusal) => badValue(what, name, refusal));
  return validatedBy(task.host, what, checking);
}
