import type { Entry } from '../../record/record.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import { hashOfId } from '../../store/commit/seal-id.ts';
import type { SnapshotKey } from '../../store/contract/commit.ts';
import type { IdQuery, LoadQuery, Located, RecordQuery, RunsQuery, SnapshotQuery } from '../../store/contract/read.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import type { ModelSnapshot, ReferenceModel } from './reference-model.ts';

/** The records that a query should find. */
export function modelRecords(model: ReferenceModel, query: RecordQuery): readonly Entry[] {
  const { runId, after = 0, before = Number.POSITIVE_INFINITY, order, limit } = query;
  const found = (model.find(runId)?.entries ?? []).filter(({ seq }) => seq > after && seq < before);
  return (order === 'oldest' ? found : found.toReversed()).slice(0, limit);
}

/** The ids that a query should find. */
export function modelIds(model: ReferenceModel, query: IdQuery): readonly KnownId[] {
  const { runId, id, upTo = Number.POSITIVE_INFINITY, after = '', limit } = query;
  return (model.find(runId)?.ids ?? [])
    .filter((known) => known.seq <= upTo && known.id > after)
    .filter((known) => id === undefined || known.id === hashOfId(id))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** The snapshots that a query should find. */
export function modelSnapshots(model: ReferenceModel, query: SnapshotQuery): readonly ModelSnapshot[] {
  const { runId, covers = Number.POSITIVE_INFINITY, before, limit, bodies } = query;
  return (model.find(runId)?.snapshots ?? [])
    .filter((snapshot) => snapshot.covers <= covers && isBefore(snapshot, before))
    .toSorted(byOrder)
    .slice(0, limit)
    .map((snapshot) => (bodies ? snapshot : { ...snapshot, body: undefined }));
}

/** What loading a run should give, but for the bytes. */
export interface ModelLoad {
  readonly header: RunHeader;
  readonly lineage: readonly RunHeader[];
  readonly snapshot: { readonly covers: number; readonly body: unknown } | undefined;
  readonly entries: readonly Entry[];
  readonly id: Located<KnownId> | undefined;
}

/** What loading a run should give. */
export function modelLoad(model: ReferenceModel, query: LoadQuery): ModelLoad | undefined {
  const { runId, upTo = Number.POSITIVE_INFINITY, before, limit, id } = query;
  const run = model.find(runId);
  if (run === undefined) return undefined;
  const runs = [run];
  for (let last = run; last.header.forkedAt !== null && last.header.floor === 0; ) {
    const above = model.find(last.header.forkedAt.runId);
    if (above === undefined) break;
    runs.push(above);
    last = above;
  }
  const entries: Entry[] = [];
  const snapshots: ModelSnapshot[] = [];
  const ids: Located<KnownId>[] = [];
  let highest = upTo;
  for (const { header, entries: own, snapshots: kept, ids: known } of runs) {
    const visible = highest;
    entries.unshift(...own.filter(({ seq }) => seq <= visible));
    snapshots.push(...kept.filter(({ seq, covers }) => seq <= visible && covers <= visible));
    ids.push(...known.filter(({ seq }) => seq <= visible).map((value) => ({ runId: header.runId, value })));
    highest = Math.min(highest, header.forkedAt?.seq ?? 0);
  }
  const [newest] = limit === 0 ? [] : snapshots.filter((snapshot) => isBefore(snapshot, before)).toSorted(byOrder);
  const after = newest?.covers ?? 0;
  return {
    header: run.header,
    lineage: runs.slice(1).map(({ header }) => header),
    snapshot: newest && { covers: newest.covers, body: newest.body },
    entries: entries.filter(({ seq }) => seq > after).slice(0, limit),
    id: id === undefined ? undefined : ids.find(({ value }) => value.id === hashOfId(id)),
  };
}

/** The headers that a query should find. */
export function modelRuns(model: ReferenceModel, query: RunsQuery): readonly RunHeader[] {
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

function fits(header: RunHeader, query: RunsQuery): boolean {
  if (query.hidden === undefined && query.runIds === undefined && header.hidden) return false;
  if (query.hidden !== undefined && query.hidden !== header.hidden) return false;
  if (query.runIds !== undefined && !query.runIds.includes(header.runId)) return false;
  if (query.worker !== undefined && query.worker !== header.worker) return false;
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

function isBefore(a: SnapshotKey, before: SnapshotKey | undefined): boolean {
  return before === undefined || a.covers < before.covers || (a.covers === before.covers && a.seq < before.seq);
}

/** Greatest first. */
function byOrder(a: SnapshotKey, b: SnapshotKey): number {
  return a.covers === b.covers ? b.seq - a.seq : b.covers - a.covers;
}
