import type { RunsQuery } from './contract/read.ts';
import type { RunHeader } from './contract/run.ts';

type Place = NonNullable<RunsQuery['after']>;

/** Runs a query for headers, for a driver that has them in memory. */
export function selectRuns(headers: readonly RunHeader[], query: RunsQuery): readonly RunHeader[] {
  const sign = query.order === 'newest' ? -1 : 1;
  const compare = (a: Place, b: Place): number => sign * comparePlaces(a, b);
  return headers
    .filter((header) => matches(header, query))
    .filter((header) => query.after === undefined || compare(header, query.after) > 0)
    .toSorted(compare)
    .slice(0, query.limit);
}

function comparePlaces(a: Place, b: Place): number {
  return a.createdAt - b.createdAt || (a.runId < b.runId ? -1 : Number(a.runId !== b.runId));
}

function matches(header: RunHeader, query: RunsQuery): boolean {
  const { runIds, worker, status, graph, node, waits, tags, parentId, forkOf, idPrefix, updatedBefore } = query;
  return (
    ((query.hidden === undefined && runIds !== undefined) || header.hidden === (query.hidden ?? false)) &&
    (runIds?.includes(header.runId) ?? true) &&
    (worker === undefined || header.worker === worker) &&
    (status?.includes(header.status) ?? true) &&
    (graph === undefined || header.graph === graph) &&
    (node === undefined || header.frontier.includes(node)) &&
    (waits === undefined || header.waits.some(({ kind }) => kind === waits)) &&
    (tags === undefined || hasTags(header.tags, tags)) &&
    (parentId === undefined || header.parentId === parentId) &&
    (forkOf === undefined || header.forkedAt?.runId === forkOf) &&
    (idPrefix === undefined || header.runId.startsWith(idPrefix)) &&
    (updatedBefore === undefined || header.updatedAt < updatedBefore)
  );
}

/** Own keys only: a filter for the tag `toString` must not match every run. */
function hasTags(tags: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => Object.hasOwn(tags, name) && tags[name] === value);
}
