import type { Entry } from '../../record/record.ts';
import type { RecordQuery, RunsQuery, SnapshotQuery } from '../../store/contract/read.ts';
import type { ModelHeader, ModelSnapshot, ReferenceModel } from './reference-model.ts';

/** The records that a query should find. */
export function modelRecords(model: ReferenceModel, query: RecordQuery): readonly Entry[] {
  const { runId, after = 0, before = Number.POSITIVE_INFINITY, id, order, limit } = query;
  const found = (model.find(runId)?.entries ?? [])
    .filter(({ seq }) => seq > after && seq < before)
    .filter((entry) => id === undefined || entry.id === id);
  return (order === 'oldest' ? found : found.toReversed()).slice(0, limit);
}

/** The snapshots that a query should find. */
export function modelSnapshots(model: ReferenceModel, query: SnapshotQuery): readonly ModelSnapshot[] {
  const { runId, covers = Number.POSITIVE_INFINITY, before, limit, bodies } = query;
  const isBefore = (a: ModelSnapshot): boolean =>
    before === undefined || a.covers < before.covers || (a.covers === before.covers && a.seq < before.seq);
  return (model.find(runId)?.snapshots ?? [])
    .filter((snapshot) => snapshot.covers <= covers && isBefore(snapshot))
    .toSorted((a, b) => (a.covers === b.covers ? b.seq - a.seq : b.covers - a.covers))
    .slice(0, limit)
    .map((snapshot) => (bodies ? snapshot : { ...snapshot, body: undefined }));
}

/** The headers that a query should find. */
export function modelRuns(model: ReferenceModel, query: RunsQuery): readonly ModelHeader[] {
  const sorted = model.runs.map(({ header }) => header).toSorted((a, b) => (isOlder(a, b) ? -1 : 1));
  const ordered = query.order === 'oldest' ? sorted : sorted.toReversed();
  const { after } = query;
  return ordered
    .filter(
      (header) => after === undefined || (query.order === 'oldest' ? isOlder(after, header) : isOlder(header, after)),
    )
    .filter((header) => fits(header, query))
    .slice(0, query.limit);
}

type Place = NonNullable<RunsQuery['after']>;

function isOlder(a: Place, b: Place): boolean {
  return a.createdAt === b.createdAt ? a.runId < b.runId : a.createdAt < b.createdAt;
}

function fits(header: ModelHeader, query: RunsQuery): boolean {
  if (query.hidden === undefined && query.runId === undefined && header.hidden) return false;
  if (query.hidden !== undefined && query.hidden !== header.hidden) return false;
  if (query.runId !== undefined && query.runId !== header.runId) return false;
  if (query.status !== undefined && !query.status.includes(header.status)) return false;
  if (query.graph !== undefined && query.graph !== header.graph) return false;
  if (query.node !== undefined && !header.frontier.includes(query.node)) return false;
  if (query.waits !== undefined && !header.waits.some(({ kind }) => kind === query.waits)) return false;
  if (query.parentId !== undefined && query.parentId !== header.parentId) return false;
  if (query.forkOf !== undefined && query.forkOf !== header.forkedAt?.runId) return false;
  if (query.idPrefix !== undefined && !header.runId.startsWith(query.idPrefix)) return false;
  if (query.updatedBefore !== undefined && header.updatedAt >= query.updatedBefore) return false;
  return Object.entries(query.tags ?? {}).every(([name, value]) => header.tags[name] === value);
}
