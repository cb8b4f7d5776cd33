import type { ClaimRequest, ClaimResult, GraphName, TakenFrom } from '../contract/lease.ts';
import type { WorkerProcesses } from '../worker-processes.ts';
import type { MemoryPlace } from './memory-place.ts';
import type { MemoryRun } from './memory-run.ts';

type Request<T extends ClaimRequest['type']> = ClaimRequest & { readonly type: T };

/** The result of a request. The leased runs are not loaded yet. */
export interface Leased extends Omit<ClaimResult, 'claimed' | 'corrupt' | 'now'> {
  readonly claimed: readonly { readonly runId: string; readonly takenFrom: TakenFrom | undefined }[];
}

/** What a request is answered with. */
interface Moment {
  readonly place: MemoryPlace;
  readonly processes: WorkerProcesses;
  readonly now: number;
}

const nothing: Leased = { claimed: [], granted: false, nextDueAt: null };

/** Leases in memory: which workers are alive, and which runs they lease. */
export function answerClaim(moment: Moment, request: ClaimRequest): Leased {
  const { place, processes, now } = moment;
  if ('leaseMs' in request) place.workers.set(request.worker, { until: now + request.leaseMs, process: processes.own });
  switch (request.type) {
    case 'heartbeat':
      return nothing;
    case 'release':
      release(place, request, now);
      return nothing;
    case 'duty':
      return { ...nothing, granted: grantDuty(place, request, now) };
    case 'alive':
      return { ...nothing, ...leaseOf(moment, request.worker) };
    case 'one':
      return claimOne(moment, request);
    case 'due':
      return claimDue(moment, request);
  }
}

function claimOne(moment: Moment, { runId, worker, ifDue, takeover = true }: Request<'one'>): Leased {
  const { now } = moment;
  const run = moment.place.runs.get(runId);
  if (run === undefined || !isLeasable(run)) return nothing;
  if (isFree(moment, run) && (!ifDue || wakeTime(run) <= now) && (takeover || run.worker === null))
    return { ...nothing, claimed: [lease(moment, run, worker)] };
  const isOwn = run.worker === worker;
  return ifDue && !isOwn ? { ...nothing, nextDueAt: timeOrNull(leasableAt(moment, run)) } : nothing;
}

function claimDue(moment: Moment, request: Request<'due'>): Leased {
  const { place, now } = moment;
  const { worker, graphs, limit, takeover } = request;
  const waking = [...place.runs.values()]
    .filter((run) => run.state.wakeAt !== null && isLeasable(run) && isNamed(run, graphs))
    .filter((run) => (takeover || run.worker === null) && !isRefusedBy(run, worker));
  const others = waking.filter((run) => run.worker !== worker && !isFree(moment, run));
  const free = waking
    .filter((run) => isFree(moment, run))
    .toSorted((a, b) => wakeTime(a) - wakeTime(b) || (a.runId < b.runId ? -1 : 1));
  const due = free.filter((run) => wakeTime(run) <= now).slice(0, limit);
  const claimed = due.map((run) => lease(moment, run, worker));
  let next = wakeTime(free[due.length]);
  for (const run of others) next = Math.min(next, leasableAt(moment, run));
  return { ...nothing, claimed, nextDueAt: timeOrNull(next) };
}

function lease(moment: Moment, run: MemoryRun, worker: string): Leased['claimed'][number] {
  const { runId, worker: before } = run;
  const hasLease = before !== null && (moment.place.workers.get(before)?.until ?? 0) > moment.now;
  run.lease(worker);
  return { runId, takenFrom: before === null ? undefined : { worker: before, noticed: hasLease ? 'death' : 'lease' } };
}

function wakeTime(run: MemoryRun | undefined): number {
  return run?.state.wakeAt ?? Number.POSITIVE_INFINITY;
}

/** When the run can be leased: at its wake time, and not before the lease of a live worker ends. */
function leasableAt(moment: Moment, run: MemoryRun): number {
  const endsAt = isFree(moment, run) ? 0 : (moment.place.workers.get(run.worker ?? '')?.until ?? 0);
  return Math.max(wakeTime(run), endsAt);
}

function timeOrNull(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

/** Whether workers lease runs like this: a visible graph run. */
function isLeasable({ fixed, hidden }: MemoryRun): boolean {
  return fixed.kind === 'graph' && !hidden;
}

/** Whether a worker may lease the run now: no live worker leases it. */
function isFree(moment: Moment, run: MemoryRun): boolean {
  return isLeasable(run) && (run.worker === null || !isAlive(moment, run.worker));
}

function isAlive(moment: Moment, worker: string): boolean {
  return leaseOf(moment, worker).granted;
}

/** Whether a worker lives, and until when at least. */
function leaseOf({ place, processes, now }: Moment, worker: string): Pick<Leased, 'granted' | 'nextDueAt'> {
  const lease = place.workers.get(worker);
  const lives = lease !== undefined && lease.until > now && !processes.isDead(lease.process);
  return { granted: lives, nextDueAt: lives ? lease.until : null };
}

function isRefusedBy({ refusals, head }: MemoryRun, worker: string): boolean {
  return refusals.some((refusal) => refusal.worker === worker && refusal.head === head);
}

function isNamed({ fixed }: MemoryRun, graphs: readonly GraphName[]): boolean {
  return graphs.some(({ name, version }) => name === fixed.graph && (version ?? fixed.version) === fixed.version);
}

function release(place: MemoryPlace, { worker, runIds, refusal }: Request<'release'>, now: number): void {
  if (runIds === undefined) place.workers.delete(worker);
  for (const run of place.runs.values()) {
    if (run.worker !== worker || !(runIds?.includes(run.runId) ?? true)) continue;
    run.worker = null;
    if (refusal === undefined) continue;
    const others = run.refusals.filter((kept) => kept.head === run.head && kept.worker !== worker);
    run.refusals = [...others, { worker, ...refusal, at: now, head: run.head }];
  }
}

function grantDuty(place: MemoryPlace, { name, everyMs }: Request<'duty'>, now: number): boolean {
  const before = place.duties.get(name);
  if (before !== undefined && before > now - everyMs && before <= now) return false;
  place.duties.set(name, now);
  return true;
}
