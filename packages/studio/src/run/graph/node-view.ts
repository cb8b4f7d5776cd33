// What the graph shows of each node: how it is, how long it took, how often it was tried.

import { grouped } from '../../format/grouped.ts';
import { duration } from '../../format/time.ts';
import type { Story, TaskStory } from '../fold/story.ts';
import type { ChildRun } from '../model/run-model.ts';
import { type Row, statusOf } from '../timeline/rows.ts';
import type { GraphStructure } from './shape.ts';

/** How a node is shown. */
export interface NodeView {
  readonly status: Row['status'];
  /** At its right: `2.3 s`, `try 2`. */
  readonly meta: string;
  readonly badge: string | undefined;
  readonly isBadgeBad: boolean;
  /** In words, for the list and for screen readers. */
  readonly detail: string;
}

/** What the nodes of a structure are, by their keys in the drawing. */
export function nodeViews(
  structure: GraphStructure,
  given: { readonly story: Story | undefined; readonly children: readonly ChildRun[]; readonly now: number },
): ReadonlyMap<string, NodeView> {
  const views = new Map<string, NodeView>();
  const walk = ({ nodes }: GraphStructure, prefix: string, story: Story | undefined): void => {
    const tasks = grouped(story?.tasks ?? [], ({ node }) => node);
    for (const { name, inner } of nodes) {
      views.set(prefix + name, viewOf(tasks.get(name) ?? [], story, given.now));
      if (inner !== undefined) {
        const child = prefix === '' ? given.children.findLast(({ node }) => node === name) : undefined;
        walk(inner, `${prefix}${name}/`, child?.story);
      }
    }
  };
  walk(structure, '', given.story);
  return views;
}

const unseen: NodeView = { status: 'pending', meta: '', badge: undefined, isBadgeBad: false, detail: 'not yet' };

function viewOf(tasks: readonly TaskStory[], story: Story | undefined, now: number): NodeView {
  const last = tasks.at(-1);
  if (last === undefined || story === undefined) return unseen;
  const latest = tasks.filter(({ superstep }) => superstep === last.superstep);
  const status = statusOf(tasks);
  const failures = latest.reduce((sum, each) => sum + each.failures, 0);
  const tries = failures + (status === 'failed' ? 0 : 1);
  const times = tasks.length - latest.length + 1;
  const meta = metaOf(latest, { status, story, now, failures });
  const badges = [
    // A node that runs says which try it is, in place of its time.
    ...(tries > 1 && status !== 'running' ? [`${tries} tries`] : []),
    ...(latest.some(({ wasTakenOver }) => wasTakenOver) ? ['taken over'] : []),
    ...(latest.length > 1 ? [`${latest.filter(({ to }) => to !== undefined).length} of ${latest.length}`] : []),
    ...(times > 1 ? [`${times} times`] : []),
  ];
  const answer = story.waits.findLast(
    ({ node, superstep, by }) => node === last.node && superstep === last.superstep && by !== undefined,
  );
  const said = answer?.by === undefined ? [] : [`answered by ${answer.by}`];
  return { status, meta, badge: badges[0], isBadgeBad: tries > 1, detail: [...badges, ...said].join(', ') };
}

interface MetaOptions {
  readonly status: Row['status'];
  readonly story: Story;
  readonly now: number;
  readonly failures: number;
}

function metaOf(tasks: readonly TaskStory[], { status, story, now, failures }: MetaOptions): string {
  const from = Math.min(...tasks.map((each) => each.from));
  const to = Math.max(...tasks.map((each) => each.to ?? now));
  const { node, superstep } = tasks[0] as TaskStory;
  if (status === 'waiting') {
    const open = story.waits.filter(
      (each) => each.node === node && each.superstep === superstep && each.to === undefined,
    );
    const all = story.waits.filter((each) => each.node === node && each.superstep === superstep && each.kind === 'ask');
    if (all.length > 1) return `${open.length} of ${all.length} open`;
    return open[0] === undefined ? 'waiting' : duration(Math.max(0, now - open[0].from), { isRunning: true });
  }
  if (status === 'running' && failures > 0) return `try ${failures + 1}`;
  return duration(Math.max(0, to - from), { isRunning: status === 'running' });
}

/** The edges that were taken, by their keys in the drawing; `live` leads to what is executed now. */
export function takenEdges(
  structure: GraphStructure,
  { story, children }: { readonly story: Story | undefined; readonly children: readonly ChildRun[] },
): ReadonlyMap<string, 'taken' | 'live'> {
  const taken = new Map<string, 'taken' | 'live'>();
  const walk = ({ nodes, edges }: GraphStructure, prefix: string, told: Story | undefined): void => {
    if (told === undefined) return;
    const pairs = pairsOf(told);
    for (const { from, to, type } of edges) {
      const how = pairs.get(`${from}\n${to}`) ?? (type === 'join' ? joined(told, from, to) : undefined);
      if (how !== undefined) taken.set(`${prefix}${from}>${to}`, how);
    }
    for (const { name, inner } of nodes) {
      if (inner !== undefined && prefix === '')
        walk(inner, `${name}/`, children.findLast(({ node }) => node === name)?.story);
    }
  };
  walk(structure, '', story);
  return taken;
}

function pairsOf({ supersteps, tasks, end }: Story): ReadonlyMap<string, 'taken' | 'live'> {
  const pairs = new Map<string, 'taken' | 'live'>();
  const running = new Set(
    tasks.filter(({ to, status }) => to === undefined && status === 'running').map(({ node }) => node),
  );
  let before: readonly string[] = [];
  for (const { nodes, seq } of supersteps) {
    if (nodes.length === 0) {
      // An input: what follows it begins at the start. A fork goes on where its base was.
      if (before.length === 0) before = ['start'];
      continue;
    }
    for (const from of before)
      for (const to of nodes)
        pairs.set(`${from}\n${to}`, seq === undefined && end === undefined && running.has(to) ? 'live' : 'taken');
    before = nodes;
  }
  if (end?.status === 'completed') for (const from of before) pairs.set(`${from}\nend`, 'taken');
  return pairs;
}

/** The sources of a join may have arrived in different super-steps. */
function joined({ supersteps }: Story, from: string, to: string): 'taken' | undefined {
  const first = supersteps.findIndex(({ nodes }) => nodes.includes(from));
  return first !== -1 && supersteps.slice(first + 1).some(({ nodes }) => nodes.includes(to)) ? 'taken' : undefined;
}
