import type { CheckpointJson, RunJson } from '@holdfast/server/client';
import { runOf } from '../../format/id.ts';
import type { Story, SuperstepStory, WaitStory } from '../fold/story.ts';

/** What marks a row of the fork tree. */
type Dot = 'checkpoint' | 'running' | 'waiting' | 'suspended' | 'failed' | 'end';

/** A row of the fork tree: a checkpoint, or the head of a run beyond its last one. */
export interface TreeRow {
  /** `run@seq` */
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  /** The checkpoint whose state the row shows: for a head the last one. */
  readonly checkpoint: string;
  readonly isHead: boolean;
  readonly name: string;
  readonly what: string;
  readonly at: string;
  readonly dot: Dot;
  /** The row that it follows. Undefined for the first. */
  readonly parent: string | undefined;
  /** Its nodes: those that ran, or that run now. */
  readonly nodes: readonly string[];
  readonly superstep: number;
}

/** A run of the tree, with as many of its checkpoints as are loaded, newest first; its ancestors' are left out. */
export interface Branch {
  readonly run: RunJson;
  readonly checkpoints: readonly CheckpointJson[];
}

/** The rows of all branches, newest first. `story` tells more about the checkpoints of its run and its ancestors. */
export function treeRows(branches: readonly Branch[], story: Story | undefined): readonly TreeRow[] {
  const known = new Map(branches.flatMap(({ checkpoints }) => checkpoints.map((each) => [each.id, each] as const)));
  const told = new Map<string, SuperstepStory>(
    story?.supersteps.map((step) => [`${step.runId}@${step.seq ?? 'open'}`, step]),
  );
  const answers = new Map(
    story?.waits.filter(({ kind, to }) => kind === 'ask' && to !== undefined).map((wait) => [wait.superstep, wait]),
  );
  const rows: TreeRow[] = [];
  for (const { run, checkpoints } of branches) {
    const last = checkpoints[0];
    const head = headRow(run, last);
    if (head !== undefined) rows.push(head);
    for (const each of checkpoints) {
      const step = told.get(each.id);
      const parent = each.parentId === null ? undefined : known.get(each.parentId);
      const isFork = each.runId !== (each.parentId === null ? each.runId : runOf(each.parentId));
      const ran = each.nodes.length > 0 ? each.nodes : (parent?.next ?? []);
      const nodes = step?.nodes ?? (isFork ? [] : ran);
      rows.push({
        id: each.id,
        runId: each.runId,
        seq: each.seq,
        checkpoint: each.id,
        isHead: false,
        name: nameOf(each, nodes, isFork),
        what: whatOf(each, step, step && answers.get(step.index)),
        at: each.at,
        dot: 'checkpoint',
        parent: each.parentId ?? undefined,
        nodes,
        superstep: step?.index ?? each.superstep,
      });
    }
  }
  return rows.toSorted(newestFirst);
}

function newestFirst(left: TreeRow, right: TreeRow): number {
  if (left.runId === right.runId) return right.seq - left.seq;
  const byTime = Date.parse(right.at) - Date.parse(left.at);
  return byTime !== 0 ? byTime : right.seq - left.seq;
}

function headRow(run: RunJson, last: CheckpointJson | undefined): TreeRow | undefined {
  const { id, status, head, waits, updatedAt } = run;
  const isAtCheckpoint = last?.seq === head;
  const hasEnded = status === 'completed' || status === 'failed' || status === 'cancelled';
  // A checkpoint that nothing followed is the head itself.
  if (isAtCheckpoint && status === 'suspended') return undefined;
  const next = last?.next ?? [];
  const name = hasEnded && status !== 'failed' ? 'end' : next.length > 0 ? next.join(' ∥ ') : 'end';
  const dots = {
    pending: 'running',
    running: 'running',
    waiting: 'waiting',
    suspended: 'suspended',
    failed: 'failed',
    completed: 'end',
    cancelled: 'end',
  } as const;
  const isAsked = status === 'waiting' && waits.some(({ kind }) => kind === 'ask');
  return {
    id: `${id}@${isAtCheckpoint ? head + 1 : head}`,
    runId: id,
    seq: isAtCheckpoint ? head + 1 : head,
    checkpoint: last?.id ?? `${id}@${head}`,
    isHead: true,
    name,
    what: isAsked ? 'waiting' : status,
    at: updatedAt,
    dot: dots[status],
    parent: last?.id,
    nodes: next,
    superstep: (last?.superstep ?? 0) + 1,
  };
}

function nameOf({ parentId }: CheckpointJson, nodes: readonly string[], isFork: boolean): string {
  if (nodes.length > 0) return nodes.join(' ∥ ');
  if (parentId === null) return 'start';
  return isFork ? 'fork' : 'turn';
}

/** What a checkpoint changed, in a few words: who answered, or which channels. */
function whatOf(
  { label, changed, nodes }: CheckpointJson,
  step: SuperstepStory | undefined,
  answer: WaitStory | undefined,
): string {
  if (label !== '' && !label.startsWith('fork-of:')) return label;
  if (step !== undefined && answer !== undefined) return answerText(answer.value, answer.by);
  if (changed.length === 0) return nodes.length > 0 ? 'nothing changed' : '';
  return changed.length === 1 ? `${changed[0]}` : `${changed.length} changed`;
}

function answerText(value: unknown, by: string | undefined): string {
  const parts = [shortValue(value), by === undefined ? undefined : `by ${by}`].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' ') : 'answered';
}

/** The part of an answer that says most: a plain value, or its first field that is one. */
function shortValue(value: unknown): string | undefined {
  if (isPlain(value)) return String(value).slice(0, 40);
  if (typeof value !== 'object' || value === null) return undefined;
  const field = Object.entries(value).find(([, each]) => isPlain(each));
  return field === undefined ? undefined : `${field[0]}=${String(field[1]).slice(0, 40)}`;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
