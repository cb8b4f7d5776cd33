import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph, CompiledNode } from '../../graph/compile/compiled-graph.ts';
import { mostItems } from '../../record/payload-shape.ts';
import type { TaskPlace } from '../fold/payload.ts';
import { type RunState, taskKey } from '../fold/run-state.ts';

/** One node execution of a super-step. */
export interface TaskSpec {
  /** Its name within the super-step. */
  readonly key: string;
  readonly node: CompiledNode;
  readonly place: TaskPlace;
  /** The item of an `each`. */
  readonly item: unknown;
}

/**
 * The tasks of the open super-step, in the order in which their writes are merged: nodes as declared, items as they come.
 *
 * @throws HOLDFAST_VERSION when an `each` has a different number of items than in its journal, HOLDFAST_INVALID_VALUE
 */
export function planTasks(graph: CompiledGraph, state: RunState, view: () => object): readonly TaskSpec[] {
  const { frontier } = state;
  const [first] = frontier;
  if (first !== undefined && frontier.length === 1) return tasksOf(graph.nodes.get(first) as CompiledNode, state, view);
  return frontier.flatMap((name) => tasksOf(graph.nodes.get(name) as CompiledNode, state, view));
}

/** The nodes of the frontier that are an `each` without items, and not journalled as such. */
export function emptyNodes(graph: CompiledGraph, state: RunState, tasks: readonly TaskSpec[]): readonly string[] {
  const { frontier, counts } = state;
  const isEmpty = (name: string): boolean =>
    graph.nodes.get(name)?.work.type === 'each' && !counts.has(name) && !tasks.some(({ place }) => place.node === name);
  return frontier.filter(isEmpty);
}

function tasksOf(node: CompiledNode, state: RunState, view: () => object): readonly TaskSpec[] {
  const { name, work } = node;
  if (work.type !== 'each') return loneTask(node);
  const items = itemsOf(name, work.over(view()));
  checkCount(state, name, items.length);
  // Not `map`, which leaves out the holes of a sparse array: they would be tasks that nobody executes.
  return Array.from(items, (item, index) => {
    const place = { node: name, item: index, of: items.length };
    return { key: taskKey(place), node, place, item };
  });
}

const loneTasks = new WeakMap<CompiledNode, readonly TaskSpec[]>();

/** The task of a node without items. It is the same in every super-step. */
function loneTask(node: CompiledNode): readonly TaskSpec[] {
  let tasks = loneTasks.get(node);
  if (tasks === undefined) {
    const place = { node: node.name };
    tasks = [{ key: taskKey(place), node, place, item: undefined }];
    loneTasks.set(node, tasks);
  }
  return tasks;
}

function itemsOf(node: string, items: unknown): readonly unknown[] {
  if (Array.isArray(items) && items.length > mostItems) throw tooManyItems(node, items.length);
  if (Array.isArray(items)) return items as readonly unknown[];
  throw holdfastError('HOLDFAST_INVALID_VALUE', `The items of node "${node}" must be an array, not ${typeof items}.`, {
    details: { node },
  });
}

function tooManyItems(node: string, found: number): Error {
  const message = `Node "${node}" has ${found} items; an each has at most ${mostItems}. Process them in several super-steps.`;
  return holdfastError('HOLDFAST_INVALID_VALUE', message, { details: { node } });
}

function checkCount({ runId, counts }: RunState, node: string, found: number): void {
  const before = counts.get(node);
  if (before === undefined || before === found) return;
  throw holdfastError(
    'HOLDFAST_VERSION',
    `Node "${node}" of run "${runId}" has ${found} items, but had ${before} when its super-step began. Compute the items from the state alone.`,
    { details: { runId, node, missing: [`${before} items of node ${node}`] } },
  );
}
