import { failuresOf, settleAll } from '../../async/in-parallel.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { type ClaimRequest, type ClaimResult, type GraphName, type LeasedRun, loadLimit } from '../contract/lease.ts';
import type { StoredRun } from '../contract/read.ts';
import type { RunHeader } from '../contract/run.ts';
import { isCorruption } from '../is-corruption.ts';
import { faultOf } from '../store-fault.ts';
import { leasesFile } from './lease-file.ts';
import { leasedTail, nextTail } from './run/batch-plan.ts';
import type { FileRunState } from './run/file-run-state.ts';
import type { Tail } from './segment/tail.ts';
import { mostTogether, type StoreParts } from './store-parts.ts';

type Request<T extends ClaimRequest['type']> = ClaimRequest & { readonly type: T };

/** An open store, and how a run of it is loaded. */
interface Store extends StoreParts {
  readonly load: StoreDriver['load'];
}

/** Answers a worker's request about leases. */
export async function answerClaim(store: Store, request: ClaimRequest): Promise<ClaimResult> {
  const { env, leases } = store;
  const { worker } = request;
  if ('leaseMs' in request) await changeLeases(store, () => leases.extend(worker, request.leaseMs));
  const now = env.clock.now();
  const nothing: ClaimResult = { claimed: [], corrupt: [], granted: false, now, nextDueAt: null };
  switch (request.type) {
    case 'heartbeat':
      return nothing;
    case 'release':
      await release(store, request, now);
      return nothing;
    case 'duty':
      return { ...nothing, granted: await changeLeases(store, () => leases.grant(request.name, request.everyMs)) };
    case 'alive':
      return { ...nothing, ...aliveAnswer(leases, worker) };
    case 'one':
      return { ...nothing, ...(await leaseOne(store, request, now)) };
    case 'due':
      return { ...nothing, ...(await leaseDue(store, request, now)) };
  }
}

function aliveAnswer(leases: StoreParts['leases'], worker: string): Pick<ClaimResult, 'granted' | 'nextDueAt'> {
  const granted = leases.lives(worker);
  return { granted, nextDueAt: granted ? leases.endOf(worker) : null };
}

function changeLeases<T>({ mutex }: StoreParts, change: () => Promise<T>): Promise<T> {
  return mutex.run([leasesFile], change);
}

type Leased = Pick<ClaimResult, 'claimed' | 'corrupt'>;
type LeasedOf = Leased & Pick<ClaimResult, 'nextDueAt'>;

async function leaseOne(store: Store, request: Request<'one'>, now: number): Promise<LeasedOf> {
  const { runId, worker, ifDue, takeover = true } = request;
  let nextDueAt: number | null = null;
  const isWanted = (header: RunHeader): boolean => {
    const mayTake = takeover || header.worker === null;
    if (isFree(store, header) && mayTake && (!ifDue || isDue(header, now))) return true;
    if (ifDue && isLeasable(header) && header.worker !== worker) nextDueAt = timeOrNull(leasableAt(store, header));
    return false;
  };
  const leased = await leaseRuns(store, [runId], { worker, isWanted });
  return { ...leased, nextDueAt };
}

/** Runs that prove corrupt are replaced by the next ones, so that they never block the others. */
async function leaseDue(store: Store, request: Request<'due'>, now: number): Promise<LeasedOf> {
  const { worker, graphs, limit, takeover } = request;
  const isWaking = (header: RunHeader): boolean =>
    header.wakeAt !== null &&
    isLeasable(header) &&
    isNamed(header, graphs) &&
    (takeover || header.worker === null) &&
    !header.refusals.some((refusal) => refusal.worker === worker);
  const isWanted = (header: RunHeader): boolean => isDue(header, now) && isFree(store, header) && isWaking(header);
  const waking = store.table.headers().filter(isWaking);
  const others = waking.filter((header) => header.worker !== worker && !isFree(store, header));
  const free = waking
    .filter((header) => isFree(store, header))
    .toSorted((a, b) => wakeTime(a) - wakeTime(b) || (a.runId < b.runId ? -1 : 1));
  const due = free.filter((header) => isDue(header, now));
  let tried = 0;
  let leased: Leased = { claimed: [], corrupt: [] };
  while (tried < due.length && leased.claimed.length < limit) {
    const some = due.slice(tried, tried + limit - leased.claimed.length).map(({ runId }) => runId);
    tried += some.length;
    const { claimed, corrupt } = await leaseRuns(store, some, { worker, isWanted });
    leased = { claimed: [...leased.claimed, ...claimed], corrupt: [...leased.corrupt, ...corrupt] };
  }
  let next = wakeTime(free[tried]);
  for (const header of others) next = Math.min(next, leasableAt(store, header));
  return { ...leased, nextDueAt: timeOrNull(next) };
}

function wakeTime(header: RunHeader | undefined): number {
  return header?.wakeAt ?? Number.POSITIVE_INFINITY;
}

/** When the run can be leased: at its wake time, and not before the lease of a living worker ends. */
function leasableAt({ leases }: StoreParts, header: RunHeader): number {
  return Math.max(wakeTime(header), leases.lives(header.worker) ? leases.endOf(header.worker) : 0);
}

function timeOrNull(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

function isDue(header: RunHeader, now: number): boolean {
  return wakeTime(header) <= now;
}

/** Whether workers lease runs like this: a visible graph run. */
function isLeasable({ kind, hidden }: RunHeader): boolean {
  return kind === 'graph' && !hidden;
}

/** Whether no living worker leases it, and anyone may. */
function isFree({ leases }: StoreParts, header: RunHeader): boolean {
  return isLeasable(header) && !leases.lives(header.worker);
}

function isNamed({ graph, version: found }: RunHeader, graphs: readonly GraphName[]): boolean {
  return graphs.some(({ name, version }) => name === graph && (version ?? found) === found);
}

interface LeaseOptions {
  readonly worker: string;
  readonly isWanted: (header: RunHeader) => boolean;
}

/** Leases those of the runs that are wanted. What was leased is returned even if others failed. */
async function leaseRuns(store: Store, runIds: readonly string[], { worker, isWanted }: LeaseOptions): Promise<Leased> {
  const { settled, failures } = await changeRuns(store, runIds, async (runId) => {
    const state = await store.table.state(runId);
    if (state === undefined || !isWanted(state.tail.header)) return undefined;
    // Before the lease: a run that cannot be loaded stays free.
    const loaded = (await store.load({ runId, limit: loadLimit })) as StoredRun;
    const before = state.tail.header.worker;
    const { header } = await writeTail(store, state, leasedTail(state.tail, worker));
    if (before === null) return { ...loaded, header };
    const noticed = store.leases.isKnownDead(before) ? 'death' : 'lease';
    return { ...loaded, header, takenFrom: { worker: before, noticed } } satisfies LeasedRun;
  });
  const claimed = settled.filter((run) => run !== undefined);
  const corrupt = failures.filter(isCorruption);
  if (claimed.length === 0 && failures.length > corrupt.length) throw failures.find((each) => !isCorruption(each));
  return { claimed, corrupt };
}

async function release(store: Store, { worker, runIds, refusal }: Request<'release'>, now: number): Promise<void> {
  const leased = store.table
    .headers()
    .filter((header) => header.worker === worker && (runIds?.includes(header.runId) ?? true))
    .map(({ runId }) => runId);
  const { failures } = await changeRuns(store, leased, async (runId) => {
    const state = await store.table.state(runId);
    if (state === undefined || state.tail.header.worker !== worker) return;
    const { header } = state.tail;
    const others = header.refusals.filter((kept) => kept.worker !== worker);
    const refusals = refusal === undefined ? header.refusals : [...others, { worker, ...refusal, at: now }];
    await writeTail(store, state, nextTail(state.tail, { ...header, worker: null, refusals }));
  });
  // Nobody can execute a corrupt run, leased or not.
  const failure = failures.find((each) => !isCorruption(each));
  if (failure !== undefined) throw failure as Error;
  if (runIds === undefined) await changeLeases(store, () => store.leases.remove(worker));
}

interface Changed<T> {
  readonly settled: readonly T[];
  readonly failures: readonly unknown[];
}

/** Changes several runs, each by itself. @throws HOLDFAST_STORE_FAILED when one left files in doubt */
async function changeRuns<T>(
  { mutex }: StoreParts,
  runIds: readonly string[],
  change: (runId: string) => Promise<T>,
): Promise<Changed<T>> {
  const outcomes = await settleAll(runIds, mostTogether, (runId) => mutex.run([runId], () => change(runId)));
  const failures = failuresOf(outcomes);
  const poison = failures.find((failure) => faultOf(failure).poisoned);
  if (poison !== undefined) throw poison as Error;
  return { settled: outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])), failures };
}

async function writeTail({ table, writer }: StoreParts, state: FileRunState, tail: Tail): Promise<Tail> {
  const { runId } = tail.header;
  const written = await writer.write({ place: table.place(runId), state, tail, lines: [], snapshot: null });
  table.set(runId, written, []);
  return written.tail;
}
