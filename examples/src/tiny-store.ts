import type {
  Batch,
  BatchResult,
  ClaimRequest,
  DoubtResult,
  Env,
  NewRun,
  Refusal,
  RunHeader,
  Store,
  StoreDriver,
  StoredRecord,
  StoredSnapshot,
  TrimPlan,
} from 'holdfast/store';
import { compareSnapshots, composeLoad, defineStore, loadLimit, selectIds, selectRuns } from 'holdfast/store';

/** A store that keeps its runs in one array, and only as long as it is open. */
export function tinyStore(): Store {
  return defineStore(async (env) => openDriver(env));
}

interface Run {
  header: RunHeader;
  records: readonly StoredRecord[];
  snapshots: readonly StoredSnapshot[];
  /** Those of trimmed records too. */
  ids: Batch['ids'];
  /** The token of the batch that wrote each record, by its seq. */
  tokens: Readonly<Record<number, string>>;
}

function openDriver({ clock }: Env): StoreDriver {
  let runs: readonly Run[] = [];
  const leases = new Map<string, number>();
  const duties = new Map<string, number>();
  /** Of runs that do not exist, too. A store that lasts may forget those after a day. */
  const epochs = new Map<string, number>();
  const find = (id: string | undefined) => runs.find(({ header }) => header.runId === id);
  const headers = () => runs.map(({ header }) => header);
  const epochOf = (id: string) => epochs.get(id) ?? 0;
  const isAlive = (worker: string | null) => (leases.get(worker ?? '') ?? 0) > clock.now();
  const isLeasable = ({ header }: Run) => header.kind === 'graph' && !header.hidden;
  const isFree = (run: Run) => isLeasable(run) && !isAlive(run.header.worker);
  const leasableAt = (run: Run) =>
    Math.max(wakeTime(run), isFree(run) ? 0 : (leases.get(run.header.worker ?? '') ?? 0));

  function commitOne(batch: Batch): BatchResult {
    const found = find(batch.runId);
    const epoch = epochOf(batch.runId);
    const refusal = refusalOf(batch, found, find(batch.create?.forkedAt?.runId));
    const why = refusal ?? (batch.epoch === epoch ? undefined : 'epoch');
    if (why !== undefined) return { ok: false, why, found: found?.header, epoch };
    runs = [...runs.filter((run) => run !== found), written(batch, found)];
    return { ok: true };
  }

  function resolveOne(batch: Batch): DoubtResult {
    const run = find(batch.runId);
    const seq = batch.expect + 1;
    if (run?.tokens[seq] === batch.token) return { outcome: 'committed' };
    const isGone = run && (seq <= run.header.floor || (seq > lastOf(run) && seq <= run.header.head));
    if (isGone || batch.records.length === 0) return { outcome: 'unknown' };
    const epoch = epochOf(batch.runId) + 1;
    epochs.set(batch.runId, epoch);
    return { outcome: 'absent', found: run && change(run, { epoch }), epoch };
  }

  /** The runs that a request may lease, now or later. */
  function wantedBy(request: ClaimRequest): readonly Run[] {
    const others = runs.filter((run) => isLeasable(run) && (isFree(run) || run.header.worker !== request.worker));
    if (request.type === 'one') return others.filter(({ header }) => header.runId === request.runId);
    if (request.type !== 'due') return [];
    const isNamed = ({ graph, version }: RunHeader) =>
      request.graphs.some((named) => named.name === graph && (named.version ?? version) === version);
    const isRefused = ({ refusals }: RunHeader) => refusals.some(({ worker }) => worker === request.worker);
    return others
      .filter(({ header }) => header.wakeAt !== null && isNamed(header) && !isRefused(header))
      .filter(({ header }) => request.takeover || header.worker === null)
      .toSorted((a, b) => wakeTime(a) - wakeTime(b));
  }

  function release({ worker, runIds, refusal }: ClaimRequest & { type: 'release' }): void {
    if (!runIds) leases.delete(worker);
    const named = runs.filter(({ header }) => header.worker === worker && (runIds?.includes(header.runId) ?? true));
    for (const run of named) {
      const others = run.header.refusals.filter((kept) => kept.worker !== worker);
      const refusals = refusal ? [...others, { worker, ...refusal, at: clock.now() }] : run.header.refusals;
      change(run, { worker: null, refusals });
    }
  }

  const driver: StoreDriver = {
    capabilities: { reopens: false, shared: false, groupsInFlight: 1 },
    commit: async (batches) => batches.map(commitOne),
    resolveDoubt: async (batch) => resolveOne(batch),
    load: (query) => composeLoad(driver, query),
    records: async ({ runId, after = 0, before = Infinity, order, limit }) => {
      const found = find(runId)?.records.filter(({ seq }) => seq > after && seq < before) ?? [];
      return (order === 'oldest' ? found : found.toReversed()).slice(0, limit);
    },
    snapshots: async ({ runId, covers = Infinity, before, limit, bodies }) =>
      (find(runId)?.snapshots ?? [])
        .filter((snapshot) => snapshot.covers <= covers && (!before || compareSnapshots(snapshot, before) < 0))
        .toSorted((a, b) => compareSnapshots(b, a))
        .slice(0, limit)
        .map((snapshot) => (bodies ? snapshot : { ...snapshot, body: undefined })),
    ids: async (query) => selectIds(find(query.runId)?.ids ?? [], query),
    runs: async (query) => ({ headers: selectRuns(headers(), query), corrupt: [] }),
    claim: async (request) => {
      const { type, worker } = request;
      const now = clock.now();
      if ('leaseMs' in request) leases.set(worker, now + request.leaseMs);
      if (type === 'release') release(request);
      const isDuty = type === 'duty' && (duties.get(request.name) ?? -Infinity) <= now - request.everyMs;
      if (type === 'duty' && isDuty) duties.set(request.name, now);
      const granted = isDuty || (type === 'alive' && isAlive(worker));
      const goesByTime = type === 'due' || (type === 'one' && request.ifDue);
      const takeover = !('takeover' in request) || request.takeover !== false;
      const mayLease = (run: Run) => isFree(run) && (takeover || run.header.worker === null);
      const wanted = wantedBy(request);
      const due = wanted.filter((run) => mayLease(run) && (!goesByTime || wakeTime(run) <= now));
      const leased = type === 'due' ? due.slice(0, request.limit) : due;
      const lasts = type === 'alive' && granted ? leases.get(worker) : undefined;
      const next = lasts ?? Math.min(...wanted.filter((run) => goesByTime && !leased.includes(run)).map(leasableAt));
      for (const run of leased) change(run, { worker, fence: run.header.fence + 1, claims: claimsAfter(run.header) });
      const loaded = await Promise.all(leased.map(({ header: { runId } }) => driver.load({ runId, limit: loadLimit })));
      const claimed = loaded.filter((run) => run !== undefined);
      return { claimed, corrupt: [], granted, now, nextDueAt: Number.isFinite(next) ? next : null };
    },
    trim: async (plan) => {
      const run = find(plan.runId);
      if (!run) return { ok: false, why: 'missing' };
      if ((plan.head ?? run.header.head) !== run.header.head) return { ok: false, why: 'head' };
      const bases = runs.flatMap(({ header: { forkedAt } }) => (forkedAt?.runId === plan.runId ? [forkedAt.seq] : []));
      const { why, records, snapshots } = trimmed(run, plan, bases);
      if (why) return { ok: false, why };
      if (!plan.dryRun) cut(run, plan, { records, snapshots });
      if (!plan.dryRun && plan.remove) runs = runs.filter((other) => other !== run);
      const texts = [...records, ...snapshots.flatMap(({ head, body }) => (body ? [head, body] : [head]))];
      const bytes = texts.reduce((sum, { text }) => sum + text.length, 0);
      return { ok: true, records: records.length, snapshots: snapshots.length, bytes, more: false };
    },
    // Hints are never relied on: a store that has none gives none.
    watch: () => () => {},
    close: async () => {},
  };
  return driver;
}

const wakeTime = ({ header }: Run) => header.wakeAt ?? Infinity;
const claimsAfter = ({ worker, claims }: RunHeader) => claims + (worker === null ? 0 : 1);

function refusalOf(batch: Batch, found: Run | undefined, parent: Run | undefined): Refusal | undefined {
  const { create, copy, fence, expect } = batch;
  if (create !== null) return found ? 'exists' : canStandOn(batch, create, parent) ? undefined : 'base';
  if (!found || found.header.hidden !== (copy !== undefined)) return 'missing';
  if (copy && lastOf(found) !== found.header.head) return 'missing';
  if (fence !== null && fence !== found.header.fence) return 'fence';
  return expect === found.header.head ? undefined : 'head';
}

function canStandOn({ copy }: Batch, { forkedAt, kind }: NewRun, parent: Run | undefined): boolean {
  if (forkedAt === null || !parent || (parent.header.draft && !copy)) return forkedAt === null;
  const { floor, forkedAt: below } = parent.header;
  const isOwn = forkedAt.seq > (below?.seq ?? 0) && forkedAt.seq >= floor && forkedAt.seq <= lastOf(parent);
  return isOwn && (kind === 'graph' || parent.snapshots.some(({ seq }) => seq === forkedAt.seq));
}

/** The last seq that is kept: of a deleted run, what its forks stand on. */
const lastOf = ({ header, records }: Run) => records.at(-1)?.seq ?? Math.max(header.floor, header.forkedAt?.seq ?? 0);

function written(batch: Batch, { header, records, snapshots, ids, tokens }: Partial<Run> = {}): Run {
  const { create, runId, at, token, expect, epoch, copy } = batch;
  const floor = copy?.floor ?? 0;
  const created = create && { ...create, fence: create.worker ? 1 : 0, claims: 0, floor, hidden: false };
  const owned = { ...(batch.fence !== null && { claims: 0 }), ...(batch.release && { worker: null }) };
  const refusals = batch.records.length > 0 ? [] : (header?.refusals ?? []);
  const always = { runId, updatedAt: at, head: expect + batch.records.length, epoch, refusals };
  const copied = copy && { hidden: copy.end !== 'seen', draft: copy.end === null || undefined };
  return {
    header: { ...header, ...created, ...batch.header, ...owned, ...always, ...copied } as RunHeader,
    records: [...(records ?? []), ...batch.records],
    snapshots: [...(snapshots ?? []), ...(batch.snapshot ? [batch.snapshot] : [])],
    ids: [...(ids ?? []), ...batch.ids],
    tokens: { ...tokens, ...Object.fromEntries(batch.records.map(({ seq }) => [seq, token])) },
  };
}

const change = (run: Run, header: Partial<RunHeader>) =>
  Object.assign(run, { header: { ...run.header, ...header } }).header;

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

function cut(run: Run, plan: TrimPlan, goes: Pick<Run, 'records' | 'snapshots'>): void {
  const { floor = run.header.floor, snapshot, hide, forgetIds = 0 } = plan;
  const isOther = (each: StoredSnapshot) => !snapshot || compareSnapshots(each, snapshot) !== 0;
  const kept = run.snapshots.filter((each) => !goes.snapshots.includes(each) && isOther(each));
  run.snapshots = [...kept, ...(snapshot ? [snapshot] : [])];
  run.records = run.records.filter((record) => !goes.records.includes(record));
  run.tokens = Object.fromEntries(run.records.map(({ seq }) => [seq, run.tokens[seq] ?? '']));
  const keepsId = ({ seq, at }: Run['ids'][number]) =>
    (seq > floor || at >= forgetIds) && seq <= (hide?.keepTo ?? Infinity);
  run.ids = [...run.ids, ...(plan.ids ?? [])].filter(keepsId);
  change(run, { floor, ...(hide && { hidden: true, worker: null, fence: run.header.fence + 1 }) });
}
