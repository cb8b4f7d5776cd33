import { never } from '../../../async/never.ts';
import { compiledOf } from '../../../graph/compile/compiled.ts';
import type { AnyGraph } from '../../../graph/shape.ts';
import { checkTags } from '../../../value/check/check-tags.ts';
import { checkRunId } from '../../../value/id.ts';
import type { DetachedStart } from '../child-start.ts';
import type { MadeCall, TaskRun } from '../task-run.ts';
import { checkCallName } from './call-name.ts';

/** What is started, apart from its input. */
export interface StartCall {
  readonly name: string;
  readonly graph: AnyGraph;
  readonly input: unknown;
  readonly options?: { readonly id?: string | undefined; readonly tags?: unknown } | undefined;
}

/** Starts a run once, without waiting for it. Its id is known before it exists, so a repeat after a crash finds it. */
export async function callStart(task: TaskRun, { name, graph, input, options = {} }: StartCall): Promise<unknown> {
  const made = task.call('start', checkCallName(name));
  const result = task.resultOf(task.memo(made));
  if (result !== undefined) return task.replay(result);
  const { bounds } = task.host.owned;
  const run: DetachedStart = {
    id: checkRunId(options.id ?? task.keyOf(made)),
    graph: compiledOf(graph),
    input,
    tags: options.tags === undefined ? undefined : checkTags(options.tags, bounds),
  };
  return task.busy(() => startOnce(task, made, run));
}

async function startOnce(task: TaskRun, made: MadeCall, run: DetachedStart): Promise<string> {
  const { owned, env, startDetached } = task.host;
  if (!(await task.mayBegin(made))) return never();
  const begun = task.order.begin();
  // Earlier records must be durable before the run exists.
  await owned.flush();
  if (task.isDead) return never();
  await startDetached(run);
  if (task.isDead) return never();
  task.add('result', { ...made.place, type: 'start', value: run.id }, made.after);
  env.nextTick(() => void owned.flush().catch(() => undefined));
  await task.order.admit(begun);
  return run.id;
}
