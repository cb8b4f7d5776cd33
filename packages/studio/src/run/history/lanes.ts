// Lanes as `git log --graph` draws them: one per run, beside each other as long as both are drawn.
import type { TreeRow } from './fork-tree.ts';

/** What is drawn left of a row. `through`: lanes that pass, from its top or middle to its middle or bottom. */
export interface LanedRow {
  readonly row: TreeRow;
  readonly lane: number;
  readonly through: readonly LaneLine[];
  /** Lanes of forks that begin at this row: they bend into its dot. */
  readonly joins: readonly number[];
}

/** A vertical line. `top` and `bottom`: whether it goes to that edge; otherwise it ends at the middle. */
interface LaneLine {
  readonly lane: number;
  readonly top: boolean;
  readonly bottom: boolean;
}

/** The rows with their lanes. `first`: the run of lane 0. Every row comes before the row that it follows. */
export function laned(
  rows: readonly TreeRow[],
  first: string,
): { readonly rows: readonly LanedRow[]; readonly lanes: number } {
  const places = new Map(rows.map(({ id }, index) => [id, index]));
  const runs = new Map<string, { first: number; last: number; joinsAt: number | undefined }>();
  for (const [index, { runId, parent }] of rows.entries()) {
    const run = runs.get(runId) ?? { first: index, last: index, joinsAt: undefined };
    run.last = index;
    const parentAt = parent === undefined ? undefined : places.get(parent);
    if (parentAt !== undefined && rows[parentAt]?.runId !== runId) run.joinsAt = Math.max(parentAt, index);
    runs.set(runId, run);
  }
  const lanes = assignLanes(runs, first);
  const joins = new Map<number, number[]>();
  for (const [runId, { joinsAt }] of runs) {
    if (joinsAt !== undefined) joins.set(joinsAt, [...(joins.get(joinsAt) ?? []), lanes.get(runId) ?? 0]);
  }
  // Which runs pass which rows, told by where they begin and end: a row then costs as much as there are lanes beside it.
  const starting = new Map<number, string[]>();
  for (const [runId, { first: from }] of runs) starting.set(from, [...(starting.get(from) ?? []), runId]);
  let passing: string[] = [];
  const result = rows.map((row, index): LanedRow => {
    passing = [...passing, ...(starting.get(index) ?? [])];
    const through = passing.flatMap((runId): LaneLine[] => {
      const run = runs.get(runId);
      if (run === undefined) return [];
      const end = run.joinsAt ?? run.last;
      // Where it joins, the bend is drawn instead.
      if (index === run.joinsAt && index !== run.last) return [];
      const line = { lane: lanes.get(runId) ?? 0, top: index > run.first, bottom: index < end };
      return line.top || line.bottom ? [line] : [];
    });
    passing = passing.filter((runId) => (runs.get(runId)?.joinsAt ?? runs.get(runId)?.last ?? 0) > index);
    return { row, lane: lanes.get(row.runId) ?? 0, through, joins: joins.get(index) ?? [] };
  });
  return { rows: result, lanes: Math.max(0, ...lanes.values()) + 1 };
}

function assignLanes(
  runs: ReadonlyMap<string, { readonly first: number; readonly last: number; readonly joinsAt: number | undefined }>,
  first: string,
): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>();
  const taken: { lane: number; from: number; to: number }[] = [];
  const order = [...runs].toSorted(([leftId, left], [rightId, right]) => {
    if (leftId === first || rightId === first) return leftId === first ? -1 : 1;
    return left.first - right.first;
  });
  for (const [runId, run] of order) {
    const from = run.first;
    const to = run.joinsAt ?? run.last;
    let lane = 0;
    while (taken.some((each) => each.lane === lane && each.from <= to && from <= each.to)) lane += 1;
    taken.push({ lane, from, to });
    lanes.set(runId, lane);
  }
  return lanes;
}
