import type { ClaimRequest, ClaimResult, GraphName } from '../contract/lease.ts';
import type { MemoryPlace } from './memory-place.ts';
import type { MemoryRun } from './memory-run.ts';

type Request<T extends ClaimRequest['type']> = ClaimRequest & { readonly type: T };

/** The result of a request. The leased runs are not loaded yet. */
export interface Leased extends Omit<ClaimResult, 'claimed' | 'corrupt' | 'now'> {
  readonly claimed: readonly MemoryRun[];
}

const nothing: Leased = { claimed: [], granted: false, nextDueAt: null };

/** Leases in memory: which workers are alive, and which runs they lease. */
export function answerClaim(place: MemoryPlace, request: ClaimRequest, now: number): Leased {
  if ('leaseMs' in request) place.workers.set(request.worker, now + request.leaseMs);
  switch (request.type) {
    case 'heartbeat':
      return nothing;
    case 'release':
      release(place, request, now);
      return nothing;
    case 'duty':
      return { ...nothing, granted: grantDuty(place, request, now) };
    case 'alive':
      return { ...nothing, granted: isAlive(place, request.worker, now) };
    case 'one':
      return claimOne(place, request, now);
    case 'due':
      return claimDue(place, request, now);
  }
}

function claimOne(place: MemoryPlace, { runId, worker, ifDue, takeover = true }: Request<'one'>, now: number): Leased {
  const run = place.runs.get(runId);
  if (run === undefined || !isLeasable(run)) return nothing;
  if (isFree(place, run, now) && (!ifDue || wakeTime(run) <= now) && (takeover || run.worker === null)) {
    run.lease(worker);
    return { ...nothing, claimed: [run] };
  }
  const isOwn = run.worker === worker;
  return ifDue && !isOwn ? { ...nothing, nextDueAt: timeOrNull(leasableAt(place, run, now)) } : nothing;
}

function claimDue(place: MemoryPlace, request: Request<'due'>, now: number): Leased {
  const { worker, graphs, limit, takeover } = request;
  const waking = [...place.runs.values()]
    .filter((run) => run.state.wakeAt !== null && isLeasable(run) && isNamed(run, graphs))
    .filter((run) => (takeover || run.worker === null) && !isRefusedBy(run, worker));
  const others = waking.filter((run) => run.worker !== worker && !isFree(place, run, now));
  const free = waking
    .filter((run) => isFree(place, run, now))
    .toSorted((a, b) => wakeTime(a) - wakeTime(b) || (a.runId < b.runId ? -1 : 1));
  const due = free.filter((run) => wakeTime(run) <= now).slice(0, limit);
  for (const run of due) run.lease(worker);
  let next = wakeTime(free[due.length]);
  for (const run of others) next = Math.min(next, leasableAt(place, run, now));
  return { ...nothing, claimed: due, nextDueAt: timeOrNull(next) };
}

function wakeTime(run: MemoryRun | undefined): number {
  return run?.state.wakeAt ?? Number.POSITIVE_INFINITY;
}

/** When the run can be leased: at its wake time, and not before the lease of a live worker ends. */
function leasableAt(place: MemoryPlace, run: MemoryRun, now: number): number {
  const endsAt = isFree(place, run, now) ? 0 : (place.workers.get(run.worker ?? '') ?? 0);
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
function isFree(place: MemoryPlace, run: MemoryRun, now: number): boolean {
  return isLeasable(run) && (run.worker === null || !isAlive(place, run.worker, now));
}

function isAlive({ workers }: MemoryPlace, worker: string, now: number): boolean {
  return (workers.get(worker) ?? 0) > now;
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
