import { holdfastError } from '../errors/holdfast-error.ts';
import type { CompiledGraph, CompiledNode } from '../graph/compiled-graph.ts';
import type { TaskPlace } from './payload.ts';
import { type RunState, taskKey } from './run-state.ts';

/** One node execution of a super-step. */
export interface TaskSpec {
  /** Its name within the step. */
  readonly key: string;
  readonly node: CompiledNode;
  readonly place: TaskPlace;
  /** What an `each` runs for. */
  readonly item: unknown;
}

/**
 * The tasks of the open super-step, in the order in which their writes are merged: nodes as declared, items as they come.
 *
 * @throws HOLDFAST_VERSION when an `each` has another number of items than its journal says, HOLDFAST_INVALID_VALUE
 */
export function planTasks(graph: CompiledGraph, state: RunState, view: () => object): readonly TaskSpec[] {
  const tasks: TaskSpec[] = [];
  for (const name of state.frontier) {
    const node = graph.nodes.get(name) as CompiledNode;
    if (node.work.type !== 'each') {
      const place = { node: name };
      tasks.push({ key: taskKey(place), node, place, item: undefined });
      continue;
    }
    const items = itemsOf(name, node.work.over(view()));
    checkCount(state, name, items.length);
    items.forEach((item, index) => {
      const place = { node: name, item: index, of: items.length };
      tasks.push({ key: taskKey(place), node, place, item });
    });
  }
  return tasks;
}

function itemsOf(node: string, items: unknown): readonly unknown[] {
  if (Array.isArray(items)) return items as readonly unknown[];
  throw holdfastError('HOLDFAST_INVALID_VALUE', `The items of node ${node} are not an array but ${typeof items}.`, {
    details: { node },
  });
}

function checkCount({ run, counts }: RunState, node: string, found: number): void {
  const before = counts.get(node);
  if (before === undefined || before === found) return;
  throw holdfastError(
    'HOLDFAST_VERSION',
    `Node ${node} of run ${run} has ${found} items and had ${before} when its step began. Its items may depend on nothing but the state.`,
    { details: { run, node, missing: [`${before} items of node ${node}`] } },
  );
}
