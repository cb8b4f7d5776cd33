import { privateCopy } from '../../value/frozen/private-copy.ts';
import { innerGraph } from '../fold/payload.ts';
import { callChild } from './call/call-child.ts';
import { callNode } from './call/call-node.ts';
import { TaskContext } from './task-context.ts';
import type { TaskEnd, TaskRun } from './task-run.ts';

/** Calls the user code of a task. */
export function runBody(task: TaskRun): unknown {
  const { work, isOnce } = task.spec.node;
  switch (work.type) {
    case 'node':
      return isOnce ? callNode(task, () => work.run(new TaskContext(task))) : work.run(new TaskContext(task));
    case 'each': {
      const run = (): unknown => work.run(task.spec.item, new TaskContext(task));
      return isOnce ? callNode(task, run) : run();
    }
    case 'workflow':
      return work.run(privateCopy(task.state.input), new TaskContext(task));
    case 'graph':
      return callInner(task);
  }
}

/** A graph in a graph: a child with a reserved name, so that no step can have the same one. */
async function callInner(task: TaskRun): Promise<unknown> {
  const { node } = task.spec;
  if (node.work.type !== 'graph') return undefined;
  const { inner, in: toInput, out } = node.work;
  const input = toInput(task.host.view());
  return out(await callChild(task, { name: innerGraph, graph: inner, input, node: node.name }));
}

/** Calls a node's `catch` with its failure. */
export async function catchFailure(task: TaskRun, run: () => unknown): Promise<TaskEnd> {
  try {
    return await task.toEnd(await run());
  } catch (thrown) {
    return task.failed(thrown);
  }
}
