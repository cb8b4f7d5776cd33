import type { Batch, Env, NewRun, RunHeader, Store, StoreDriver, TrimPlan } from 'holdfast/store';
import {
  compareSnapshots,
  defineStore,
  type Refusal,
  type StoredRecord,
  type StoredSnapshot,
  selectRuns,
} from 'holdfast/store';

/** A store that keeps its runs in one array, and only as long as it is open. */
export function tinyStore(): Store {
  return defineStore(async (env) => openDriver(env));
}

interface Run {
  header: RunHeader;
  records: readonly StoredRecord[];
  snapshots: readonly StoredSnapshot[];
}

function openDriver({ clock }: Env): StoreDriver {
  let runs: readonly Run[] = [];
  const leases = new Map<string, number>();
  const find = (id: string | undefined) => runs.find(({ header }) => header.runId === id);
  const isAlive = (worker: string | null) => (leases.get(worker ?? '') ?? 0) > clock.now();

  return {
    capabilities: { reopens: false, groups: true, shared: false },
    commit: async (batches) =>
      batches.map((batch) => {
        const found = find(batch.runId);
        const why = refusalOf(batch, found, find(batch.create?.forkedAt?.runId));
        if (why !== undefined) return { ok: false, why, found: found?.header };
        runs = [...runs.filter((run) => run !== found), written(batch, found)];
        return { ok: true };
      }),
    records: async ({ runId, after = 0, before = Infinity, id, order, limit }) => {
      const inside = find(runId)?.records.filter(({ seq }) => seq > after && seq < before) ?? [];
      const found = id === undefined ? inside : inside.filter((record) => record.id === id);
      return (order === 'oldest' ? found : found.toReversed()).slice(0, limit);
    },
    snapshots: async ({ runId, covers = Infinity, before, limit, bodies }) =>
      (find(runId)?.snapshots ?? [])
        .filter((snapshot) => snapshot.covers <= covers && (!before || compareSnapshots(snapshot, before) < 0))
        .toSorted((a, b) => compareSnapshots(b, a))
        .slice(0, limit)
        .map((snapshot) => (bodies ? snapshot : { ...snapshot, body: undefined })),
    runs: async (query) =>
      selectRuns(
        runs.map(({ header }) => header),
        query,
      ),
    claim: async (request) => {
      const { type, worker } = request;
      const alive = isAlive(worker);
      const isFree = ({ header }: Run) => header.kind === 'graph' && !header.hidden && !isAlive(header.worker);
      let wanted: Run[] = [];
      if (type === 'heartbeat') leases.set(worker, clock.now() + request.leaseMs);
      if (type === 'release' && !request.runs) leases.delete(worker);
      if (type === 'release') {
        const isNamed = (run: Run) => request.runs?.includes(run.header.runId) ?? true;
        for (const run of runs) if (run.header.worker === worker && isNamed(run)) change(run, { worker: null });
      }
      if (type === 'one') wanted = runs.filter(({ header }) => header.runId === request.runId);
      if (type === 'due') {
        const isNamed = ({ graph, version }: RunHeader) =>
          request.graphs.some((named) => named.name === graph && (named.version ?? version) === version);
        const dueSince = ({ header }: Run) => header.wakeAt ?? Infinity;
        wanted = runs.filter((run) => isNamed(run.header) && dueSince(run) <= clock.now());
        wanted.sort((a, b) => dueSince(a) - dueSince(b));
      }
      const taken = alive ? wanted.filter(isFree).slice(0, type === 'due' ? request.limit : 1) : [];
      const raised = ({ header: { fence, claims } }: Run) => ({ worker, fence: fence + 1, claims: claims + 1 });
      return { alive, claimed: taken.map((run) => change(run, raised(run))) };
    },
    trim: async (plan) => {
      const run = find(plan.runId);
      if (!run) return { ok: false, why: 'missing' };
      const bases = runs.flatMap(({ header: { forkedAt } }) => (forkedAt?.runId === plan.runId ? [forkedAt.seq] : []));
      const { why, records, snapshots } = trimmed(run, plan, bases);
      if (why) return { ok: false, why };
      if (!plan.dryRun) cut(run, plan, { records, snapshots });
      if (!plan.dryRun && plan.remove) runs = runs.filter((other) => other !== run);
      const texts = [...records, ...snapshots.flatMap(({ head, body }) => (body ? [head, body] : [head]))];
      const bytes = texts.reduce((sum, { text }) => sum + text.length, 0);
      return { ok: true, records: records.length, snapshots: snapshots.length, bytes };
    },
    // Hints are never relied on: a store that has none gives none.
    watch: () => () => {},
    close: async () => {},
  };
}

function refusalOf(batch: Batch, found: Run | undefined, parent: Run | undefined): Refusal | undefined {
  const { create, copy, fence, expect } = batch;
  if (create !== null) return found ? 'exists' : canStandOn(batch, create, parent) ? undefined : 'base';
  if (!found || found.header.hidden !== (copy !== undefined)) return 'missing';
  if (copy && lastOf(found) !== found.header.head) return 'missing';
  if (fence !== null && fence !== found.header.fence) return 'fence';
  return expect === found.header.head ? undefined : 'head';
}

function canStandOn({ copy }: Batch, { forkedAt, kind }: NewRun, parent: Run | undefined): boolean {
  if (forkedAt === null || !parent || (parent.header.hidden && !copy)) return forkedAt === null;
  const { floor, forkedAt: below } = parent.header;
  const isOwn = forkedAt.seq > (below?.seq ?? 0) && forkedAt.seq >= floor && forkedAt.seq <= lastOf(parent);
  return isOwn && (kind === 'graph' || parent.snapshots.some(({ seq }) => seq === forkedAt.seq));
}

/** The last seq that is kept: of a deleted run, what its forks stand on. */
function lastOf({ header, records }: Run): number {
  return records.at(-1)?.seq ?? Math.max(header.floor, header.forkedAt?.seq ?? 0);
}

function written(batch: Batch, { header, records, snapshots }: Partial<Run> = {}): Run {
  const { create, runId, at, token, expect, copy } = batch;
  const fence = create?.worker ? 1 : 0;
  const created = create && { ...create, fence, claims: 0, floor: copy?.floor ?? 0, hidden: false };
  const owned = { ...(batch.fence !== null && { claims: 0 }), ...(batch.release && { worker: null }) };
  const always = { runId, token, updatedAt: at, head: expect + batch.records.length };
  const copied = copy && { hidden: copy.end !== 'seen', draft: copy.end === null || undefined };
  return {
    header: { ...header, ...created, ...batch.header, ...owned, ...always, ...copied } as RunHeader,
    records: [...(records ?? []), ...batch.records],
    snapshots: [...(snapshots ?? []), ...(batch.snapshot ? [batch.snapshot] : [])],
  };
}

function change(run: Run, header: Partial<RunHeader>): RunHeader {
  run.header = { ...run.header, ...header };
  return run.header;
}

/** What would go, and what forbids it. */
function trimmed({ header, records, snapshots }: Run, plan: TrimPlan, bases: readonly number[]) {
  const { floor = 0, hide, drop = [], remove = false } = plan;
  const top = hide?.keepTo ?? Infinity;
  const isDropped = (key: StoredSnapshot) => drop.some((dropped) => compareSnapshots(dropped, key) === 0);
  const goes = {
    records: records.filter(({ seq }) => remove || seq <= floor || seq > top),
    snapshots: snapshots.filter((each) => remove || each.covers < floor || each.seq > top || isDropped(each)),
  };
  const isBegun = (seq: number) => header.kind === 'journal' && goes.snapshots.some((snapshot) => snapshot.seq === seq);
  if (bases.some((seq) => remove || seq < floor || seq > top || isBegun(seq)))
    return { ...goes, why: 'forks' as const };
  const isInside = floor >= header.floor && floor >= (header.forkedAt?.seq ?? 0) && floor <= header.head;
  const hasSnapshot = plan.snapshot !== undefined || snapshots.some(({ covers }) => covers === floor);
  return { ...goes, why: plan.floor === undefined || (isInside && hasSnapshot) ? undefined : ('floor' as const) };
}

function cut(run: Run, { floor, snapshot, hide }: TrimPlan, goes: Omit<Run, 'header'>): void {
  const isOther = (each: StoredSnapshot) => !snapshot || compareSnapshots(each, snapshot) !== 0;
  const kept = run.snapshots.filter((each) => !goes.snapshots.includes(each) && isOther(each));
  run.snapshots = snapshot ? [...kept, snapshot] : kept;
  run.records = run.records.filter((record) => !goes.records.includes(record));
  change(run, { floor: floor ?? run.header.floor });
  if (hide) change(run, { hidden: true, worker: null, fence: run.header.fence + 1 });
}
