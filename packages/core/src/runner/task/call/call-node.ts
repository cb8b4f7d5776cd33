import { never } from '../../../async/never.ts';
import { nodeEffect } from '../../fold/payload.ts';
import type { TaskRun } from '../task-run.ts';
import { effectWait, UnstorableResult } from './step-call.ts';

/**
 * Runs a node that is an effect: once, unless it threw. Its result needs no record of its own, because the end of the task
 * is one.
 */
export async function callNode(task: TaskRun, body: () => unknown): Promise<unknown> {
  const made = task.call('step', nodeEffect);
  const memo = task.memo(made);
  const result = task.resultOf(memo);
  if (result !== undefined) return task.replay(result);
  // Someone has settled it since the body began.
  if (memo?.result !== undefined) return task.raise(undefined);
  if (memo?.intent !== undefined) return task.raise(memo.wait ? undefined : effectWait(made, memo.intent));
  const { owned, env } = task.host;
  return task.busy(async () => {
    if (!(await task.mayBegin(made))) return never();
    task.add('intent', { ...made.place, key: task.keyOf(made) }, made.after);
    await owned.settleBefore();
    if (task.isDead) return never();
    const given = await env.calls.run(task, body);
    return usable(task, given);
  });
}

/** The effect has happened: a result that the node cannot end with must not repeat it. */
async function usable(task: TaskRun, given: unknown): Promise<unknown> {
  try {
    await task.toEnd(given);
    return given;
  } catch (cause) {
    throw new UnstorableResult((cause as Error).message, { cause });
  }
}
