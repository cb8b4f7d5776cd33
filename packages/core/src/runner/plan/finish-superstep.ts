import { type Applied, applyUpdates } from '../../channel/update/apply-updates.ts';
import { stateView } from '../../channel/update/state-view.ts';
import type { FoldState } from '../../delta/cell.ts';
import type { CompiledGraph, CompiledNode } from '../../graph/compile/compiled-graph.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import type { Payloads } from '../fold/payload.ts';
import type { RunState, TaskDone } from '../fold/run-state.ts';
import { type EndedNode, type NextFrontier, nextFrontier } from './next-frontier.ts';
import type { TaskSpec } from './plan-tasks.ts';

/** The end of a super-step, ready to be journalled. */
export interface FinishedStep {
  readonly payload: Payloads['superstep'];
  readonly values: FoldState;
  /** The run has no next super-step. */
  readonly isLast: boolean;
  /** What the run returns with its last super-step. */
  readonly output?: unknown;
}

interface FinishOptions {
  readonly graph: CompiledGraph;
  readonly state: RunState;
  readonly tasks: readonly TaskSpec[];
  /** The results of the tasks, in task order. */
  readonly done: readonly TaskDone[];
  /** Creates the state as routes see it. The caller may reuse it for the next super-step. */
  readonly viewOf?: ((values: FoldState) => object) | undefined;
}

/**
 * Merges the results in task order, not in the order of completion, and plans the next frontier on the merged state.
 *
 * @throws HOLDFAST_REDUCER_FAILED, HOLDFAST_INVALID_ROUTE, HOLDFAST_UNKNOWN_CHANNEL, and what the graph's `output` throws
 */
export function finishStep({ graph, state, tasks, done, viewOf }: FinishOptions): FinishedStep {
  // Only a workflow starts over, and it has one task and no channels.
  const again = done[0]?.again;
  if (again !== undefined) return { payload: { next: state.frontier, again }, values: state.values, isLast: false };
  const applied = applyUpdates(
    graph.channels,
    state.values,
    done.map(({ update }) => update),
  );
  const { state: values } = applied;
  const view = (): object => viewOf?.(values) ?? stateView(graph.channels, values);
  const { next, joins } = nextFrontier({
    graph,
    ended: endedNodes(graph, state, { tasks, done }),
    joins: state.joins,
    view,
  });
  const isLast = next.length === 0 && joins.size === 0;
  const payload = payloadOf(applied, { next, joins }, countsOf(graph, state, tasks));
  return isLast ? { payload, values, isLast, output: outputOf(graph, done, view) } : { payload, values, isLast };
}

/** What a workflow returned, which has only one task; or what a graph makes of its state. */
function outputOf({ output }: CompiledGraph, done: readonly TaskDone[], view: () => object): unknown {
  return output === undefined ? done[0]?.output : frozenCopy(output(view()));
}

/** Assigned, not spread: every super-step creates one, and spread objects are slow. */
function payloadOf(
  { isChanged, delta }: Applied,
  { next, joins }: NextFrontier,
  counts: Readonly<Record<string, number>> | undefined,
): Payloads['superstep'] {
  const payload: { -readonly [K in keyof Payloads['superstep']]: Payloads['superstep'][K] } = {};
  if (isChanged) payload.delta = delta;
  if (next.length > 0) payload.next = next;
  if (joins.size > 0) payload.joins = Object.fromEntries(joins);
  if (counts !== undefined) payload.counts = counts;
  return payload;
}

/** The nodes of the frontier. An `each` counts once, even without items. */
function endedNodes(
  graph: CompiledGraph,
  { frontier }: RunState,
  { tasks, done }: Pick<FinishOptions, 'tasks' | 'done'>,
): readonly EndedNode[] {
  if (done.every(({ goto }) => goto === undefined)) return frontier.map((name) => ended(graph, name, noGotos));
  const gotos = new Map<string, string[]>();
  tasks.forEach(({ place }, at) => {
    const target = done[at]?.goto;
    if (target !== undefined) gotos.set(place.node, [...(gotos.get(place.node) ?? []), target]);
  });
  return frontier.map((name) => ended(graph, name, gotos.get(name) ?? noGotos));
}

const noGotos: readonly string[] = [];

function ended(graph: CompiledGraph, name: string, gotos: readonly string[]): EndedNode {
  return { node: graph.nodes.get(name) as CompiledNode, gotos };
}

function countsOf(
  graph: CompiledGraph,
  { frontier }: RunState,
  tasks: readonly TaskSpec[],
): Readonly<Record<string, number>> | undefined {
  if (tasks.length === frontier.length && tasks.every(({ place }) => place.item === undefined)) return undefined;
  const eachs = frontier.filter((name) => graph.nodes.get(name)?.work.type === 'each');
  if (eachs.length === 0) return undefined;
  return Object.fromEntries(eachs.map((name) => [name, tasks.filter(({ place }) => place.node === name).length]));
}
