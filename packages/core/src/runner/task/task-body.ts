import { callChild } from './call-child.ts';
import { TaskContext } from './task-context.ts';
import type { TaskEnd, TaskRun } from './task-run.ts';

/** Calls the code of a task. */
export function runBody(task: TaskRun): unknown {
  const { work } = task.spec.node;
  switch (work.type) {
    case 'node':
      return work.run(new TaskContext(task));
    case 'each':
      return work.run(task.spec.item, new TaskContext(task));
    case 'workflow':
      return work.run(task.state.input, new TaskContext(task));
    case 'graph':
      return callInner(task);
  }
}

/** A graph in a graph: a child that bears no name of its own, so that no step can have it. */
async function callInner(task: TaskRun): Promise<unknown> {
  const { node } = task.spec;
  if (node.work.type !== 'graph') return undefined;
  const { inner, in: toInput, out } = node.work;
  const input = toInput(task.host.view());
  return out(await callChild(task, { name: '.graph', graph: inner, input, node: node.name }));
}

/** What a node's `catch` makes of its failure. */
export async function catchFailure(task: TaskRun, run: () => unknown): Promise<TaskEnd> {
  try {
    return await task.toEnd(await run());
  } catch (thrown) {
    return task.failed(thrown);
  }
}
