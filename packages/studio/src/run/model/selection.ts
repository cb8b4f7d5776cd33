// One selection, in four panes: a row of the fork tree. The address keeps it.
import type { Story, SuperstepStory } from '../fold/story.ts';
import type { TreeRow } from '../history/fork-tree.ts';

/** What `at` in the address names: a row by its number in this run and its ancestors, or `run@seq` of another fork. */
export function selectedRow(rows: readonly TreeRow[], at: string | undefined, runId: string): TreeRow | undefined {
  const own = ownRows(rows, runId);
  if (at === undefined) return own[0] ?? rows[0];
  if (at.includes('@')) return rows.find(({ id }) => id === at) ?? own[0];
  const seq = Number(at);
  // A record that is no checkpoint belongs to the next one.
  return own.find((row) => row.seq === seq) ?? own.findLast((row) => row.seq >= seq) ?? own[0];
}

/** How the address names a row. The head needs no name: it stays selected while the run goes on. */
export function atOf(row: TreeRow, rows: readonly TreeRow[], runId: string): string | undefined {
  const own = ownRows(rows, runId);
  if (row === own[0]) return undefined;
  return own.includes(row) ? String(row.seq) : row.id;
}

/** The rows of a run and of those that it was forked from, newest first: what followed a fork elsewhere is not among them. */
export function ownRows(rows: readonly TreeRow[], runId: string): readonly TreeRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const own: TreeRow[] = [];
  let next = rows.find((row) => row.runId === runId);
  while (next !== undefined) {
    own.push(next);
    next = next.parent === undefined ? undefined : byId.get(next.parent);
  }
  return own;
}

/** The row above or below, in the order of the list. */
export function rowBeside(rows: readonly TreeRow[], selected: TreeRow | undefined, by: 1 | -1): TreeRow | undefined {
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  return rows[Math.max(0, Math.min(rows.length - 1, at + by))];
}

/** The newest row of the next branch in the order of the lanes: the root first, then as they begin. */
export function branchBeside(
  rows: readonly TreeRow[],
  { selected, by, root }: { readonly selected: TreeRow | undefined; readonly by: 1 | -1; readonly root: string },
): TreeRow | undefined {
  const runs = [...new Set([root, ...rows.map(({ runId }) => runId)])];
  const at = runs.indexOf(selected?.runId ?? '');
  const target = runs[at + by];
  const branch = rows.filter(({ runId }) => runId === target);
  return branch.find(({ isHead }) => isHead) ?? branch[0];
}

/** The super-steps in which something failed, by the row of their checkpoint. */
function failureRows(rows: readonly TreeRow[], story: Story | undefined): readonly TreeRow[] {
  const failed = new Set(story?.failures.map(({ superstep }) => superstep));
  const killed = story?.takeovers.map(({ superstep }) => superstep) ?? [];
  for (const superstep of killed) failed.add(superstep);
  return rows.filter((row) => row.dot === 'failed' || failed.has(row.superstep));
}

/** The next failure in the order of the list. */
export function failureBeside(
  rows: readonly TreeRow[],
  given: { readonly story: Story | undefined; readonly selected: TreeRow | undefined; readonly by: 1 | -1 },
): TreeRow | undefined {
  const { story, selected, by } = given;
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  const failures = failureRows(rows, story).map((row) => rows.indexOf(row));
  const target = by === 1 ? failures.find((index) => index > at) : failures.findLast((index) => index < at);
  return target === undefined ? undefined : rows[target];
}

/** The row that shows a node: where it ran last, or the head if it has not. */
export function rowOfNode(rows: readonly TreeRow[], node: string): TreeRow | undefined {
  return rows.find((row) => row.nodes.includes(node) && (!row.isHead || row.dot !== 'end'));
}

/** The row that covers a record of the run. */
export function rowOfSeq(rows: readonly TreeRow[], seq: number): TreeRow | undefined {
  return rows.findLast((row) => row.seq >= seq) ?? rows[0];
}

/** The super-step of a row. */
export function superstepOf({
  story,
  selected,
}: {
  readonly story: Story | undefined;
  readonly selected: TreeRow | undefined;
}): SuperstepStory | undefined {
  if (selected === undefined || story === undefined) return undefined;
  if (selected.isHead) return story.supersteps.findLast(({ seq }) => seq === undefined);
  return story.supersteps.find(({ seq, runId }) => seq === selected.seq && runId === selected.runId);
}
