import type { RunHeader, RunsQuery } from '../contract.ts';
import type { MemoryDisk } from './memory-disk.ts';
import type { MemoryRun } from './memory-run.ts';

/** Answers a query over run headers, in order and cut to the page. */
export function selectRuns(disk: MemoryDisk, query: RunsQuery): readonly RunHeader[] {
  const candidates = query.run === undefined ? [...disk.runs.values()] : [disk.runs.get(query.run)];
  const sign = query.order === 'newest' ? -1 : 1;
  const compare = (a: Place, b: Place): number => sign * comparePlaces(a, b);
  return candidates
    .filter((run) => run !== undefined)
    .filter((run) => matches(run, query))
    .filter((run) => query.after === undefined || compare(placeOf(run), query.after) > 0)
    .toSorted((a, b) => compare(placeOf(a), placeOf(b)))
    .slice(0, query.limit)
    .map((run) => run.header());
}

type Place = NonNullable<RunsQuery['after']>;

function placeOf({ run, fixed }: MemoryRun): Place {
  return { createdAt: fixed.createdAt, run };
}

function comparePlaces(a: Place, b: Place): number {
  return a.createdAt - b.createdAt || (a.run < b.run ? -1 : Number(a.run !== b.run));
}

function matches(run: MemoryRun, query: RunsQuery): boolean {
  const { status, graph, node, waits, tags, parent, baseRun, idPrefix, updatedBefore } = query;
  return (
    ((query.hidden === undefined && query.run !== undefined) || run.hidden === (query.hidden ?? false)) &&
    (status?.includes(run.status) ?? true) &&
    (graph === undefined || run.fixed.graph === graph) &&
    (node === undefined || run.frontier.includes(node)) &&
    (waits === undefined || run.waits.some(({ kind }) => kind === waits)) &&
    (tags === undefined || hasTags(run.tags, tags)) &&
    (parent === undefined || run.fixed.parent === parent) &&
    (baseRun === undefined || run.base?.run === baseRun) &&
    (idPrefix === undefined || run.run.startsWith(idPrefix)) &&
    (updatedBefore === undefined || run.updatedAt < updatedBefore)
  );
}

/** Own keys only: a tag named like a method of every object is not there by itself. */
function hasTags(tags: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => Object.hasOwn(tags, name) && tags[name] === value);
}
