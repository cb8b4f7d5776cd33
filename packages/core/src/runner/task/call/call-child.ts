import { compiledOf } from '../../../graph/compile/compiled.ts';
import type { CompiledGraph } from '../../../graph/compile/compiled-graph.ts';
import type { AnyGraph } from '../../../graph/shape.ts';
import { checkTags } from '../../../value/check/check-tags.ts';
import { privateCopy } from '../../../value/frozen/private-copy.ts';
import type { KeptAnswer } from '../../fold/run-state.ts';
import { storeError } from '../../fold/stored-error.ts';
import type { ChildStart } from '../child-start.ts';
import type { TaskRun } from '../task-run.ts';
import { checkCallName } from './call-name.ts';

interface ChildCall {
  readonly name: string;
  readonly graph: CompiledGraph;
  readonly input: unknown;
  readonly tags?: unknown;
  /** The `.graph` node, whose questions are the parent's too. Undefined for `ctx.child`. */
  readonly node?: string | undefined;
}

/** Runs another graph as a child run, and waits until it has ended. */
export async function callChild(task: TaskRun, { name, graph, input, tags, node }: ChildCall): Promise<unknown> {
  const made = task.call('child', name);
  const { place, after } = made;
  const memo = task.memo(made);
  const result = task.resultOf(memo);
  if (result !== undefined) return task.replay(result);
  const id = task.keyOf(made);
  const start: ChildStart = {
    id,
    graph,
    input,
    // Whoever may see the parent may see its child runs.
    tags: { ...task.host.tags, ...(tags !== undefined && checkTags(tags, task.host.owned.bounds)) },
    wakes: id,
    answers: earlyAnswers(task, node),
    isRetry: memo?.wait === undefined,
  };
  if (memo?.wait === undefined)
    return task.raise({ ...place, after, id, kind: 'child', child: id, ...took(start, node) }, start);
  if (!memo.wait.childEnded) return task.raise(undefined, start);
  const end = await task.busy(async () => {
    if (!(await task.mayBegin(made))) return undefined;
    const begun = task.order.begin();
    const found = await task.host.childEnd(id);
    if (found === undefined || task.isDead) return undefined;
    const gave = 'error' in found ? { error: storeError(found.error) } : { value: found.output };
    task.add('result', { ...place, child: id, ...gave }, after);
    await task.order.admit(begun);
    return found;
  });
  if (end === undefined) return task.raise(undefined, start);
  if ('error' in end) throw end.error;
  return privateCopy(end.output);
}

/** `ctx.child`. */
export function callChildOf(
  task: TaskRun,
  name: string,
  graph: AnyGraph,
  input: unknown,
  options: { readonly tags?: unknown } = {},
): Promise<unknown> {
  return callChild(task, { name: checkCallName(name), graph: compiledOf(graph), input, tags: options.tags });
}

/** Answers to questions of an inner graph that came before it was started. */
function earlyAnswers({ state }: TaskRun, node: string | undefined): ReadonlyMap<string, KeptAnswer> {
  const prefix = `${node}/`;
  const early = node === undefined ? [] : [...state.answers].filter(([name]) => name.startsWith(prefix));
  return new Map(early.map(([name, kept]) => [name.slice(prefix.length), kept]));
}

/** The answers that move to the child. */
export function took({ answers }: ChildStart, node: string | undefined): { readonly took?: readonly string[] } {
  return answers.size === 0 ? {} : { took: Array.from(answers.keys(), (name) => `${node}/${name}`) };
}
