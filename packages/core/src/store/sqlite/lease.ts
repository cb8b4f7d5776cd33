import { HoldfastError } from '../../errors/holdfast-error.ts';
import { composeLoadAtOnce, type ReadsAtOnce } from '../compose-load.ts';
import { type ClaimRequest, type ClaimResult, type GraphName, type LeasedRun, loadLimit } from '../contract/lease.ts';
import type { StoredRun } from '../contract/read.ts';
import type { LeaseRefusal } from '../contract/run.ts';
import { isHidden } from '../table/table-run.ts';
import { firstWakeAt, wakingRuns } from './lease/due-runs.ts';
import type { KnownWorkers, LeaseTable } from './lease/lease-table.ts';
import { readsOf } from './run/reads.ts';
import { headerOf, type KnownRun, type RunRow, sumOfRefusal } from './run/run-row.ts';
import type { Tables } from './run/tables.ts';

type Request<T extends ClaimRequest['type']> = ClaimRequest & { readonly type: T };
type Answer = Omit<ClaimResult, 'now'>;

interface NextTakeover {
  readonly graphs: readonly GraphName[];
  readonly worker: string;
  /** The workers that live, and for how long their leases last. */
  readonly living: ReadonlyMap<string, number>;
  readonly now: number;
}

const nothing: Answer = { claimed: [], corrupt: [], granted: false, nextDueAt: null };

/** Leases: who lives, who leases what, and which runs are free. In the transaction that is open. */
export class Leases {
  readonly #tables: Tables;
  readonly #leases: LeaseTable;
  readonly #reads: ReadsAtOnce;

  constructor(tables: Tables, leases: LeaseTable) {
    this.#tables = tables;
    this.#leases = leases;
    this.#reads = readsOf(tables);
  }

  answer(request: ClaimRequest, now: number): ClaimResult {
    if ('leaseMs' in request) this.#leases.beat(request.worker, request.leaseMs);
    return { ...this.#answer(request, now), now };
  }

  #answer(request: ClaimRequest, now: number): Answer {
    switch (request.type) {
      case 'heartbeat':
        return nothing;
      case 'release':
        return { ...nothing, corrupt: this.#release(request, now) };
      case 'duty':
        return { ...nothing, granted: this.#grantDuty(request, now) };
      case 'alive':
        return { ...nothing, ...aliveAnswer(now, this.#leases.workers().living.get(request.worker)) };
      case 'one':
        return this.#claimOne(request, now);
      case 'due':
        return this.#claimDue(request, now);
    }
  }

  #claimOne({ runId, worker, ifDue, takeover = true }: Request<'one'>, now: number): Answer {
    const workers = this.#leases.workers();
    const { living } = workers;
    try {
      const known = this.#tables.runs.find(runId);
      if (known === undefined || !isLeasable(known)) return nothing;
      const { wakeAt, worker: before } = known.row;
      const isDue = !ifDue || (wakeAt !== null && wakeAt <= now);
      if (isDue && isFree(known, living) && (takeover || before === null))
        return { ...nothing, claimed: [this.#lease(known, worker, workers)] };
      if (!ifDue || wakeAt === null || before === worker) return nothing;
      return { ...nothing, nextDueAt: Math.max(wakeAt, leaseEnd(now, living.get(before ?? ''))) };
    } catch (error) {
      return { ...nothing, corrupt: [corruption(error)] };
    }
  }

  /** A corrupt run is skipped, or none behind it would ever be leased. */
  #claimDue({ worker, graphs, limit, takeover }: Request<'due'>, now: number): Answer {
    const workers = takeover ? this.#leases.workers() : undefined;
    const living = workers?.living;
    const claimed: LeasedRun[] = [];
    const corrupt = new Map<number, Error>();
    for (;;) {
      const room = limit - claimed.length;
      const found = wakingRuns(this.#tables.connection, { graphs, worker, living, limit: room + 1 + corrupt.size });
      const waking = found.filter(({ key }) => !corrupt.has(key));
      const due = waking.filter(({ wakeAt }) => wakeAt <= now).slice(0, room);
      if (due.length === 0) {
        const free = waking[0]?.wakeAt ?? Number.POSITIVE_INFINITY;
        const next = living === undefined ? free : this.#nextTakeover(free, { graphs, worker, living, now });
        const nextDueAt = Number.isFinite(next) ? next : null;
        return { ...nothing, claimed, corrupt: [...corrupt.values()], nextDueAt };
      }
      for (const { key } of due) {
        try {
          claimed.push(this.#lease(this.#tables.runs.at(key), worker, workers));
        } catch (error) {
          corrupt.set(key, corruption(error));
        }
      }
    }
  }

  /** When the first run could be leased: a free one at that time, or another's earlier, when its lease ends. */
  #nextTakeover(free: number, { graphs, worker, living, now }: NextTakeover): number {
    const others = [...living].filter(([name]) => name !== worker).toSorted(([, a], [, b]) => a - b);
    let next = free;
    for (const [other, leftMs] of others) {
      const endsAt = leaseEnd(now, leftMs);
      if (endsAt >= next) break;
      const wakeAt = firstWakeAt(this.#tables.connection, { graphs, worker, leasedBy: other });
      if (wakeAt !== undefined) next = Math.min(next, Math.max(wakeAt, endsAt));
    }
    return next;
  }

  /** Loads the run before it changes anything: one that is corrupt stays as it is. */
  #lease(known: KnownRun, worker: string, workers: KnownWorkers | undefined): LeasedRun {
    const loaded = composeLoadAtOnce(this.#reads, { runId: known.row.run, limit: loadLimit }) as StoredRun;
    const { head } = known;
    const before = known.row.worker;
    const claims = before === null ? head.claims : head.claims + 1;
    const leased = { ...head, fence: head.fence + 1, claims };
    const header = headerOf(this.#tables.runs.change(known, { worker }, leased));
    if (before === null) return { ...loaded, header };
    const noticed = workers?.dead.has(before) === true ? 'death' : 'lease';
    return { ...loaded, header, takenFrom: { worker: before, noticed } };
  }

  #release({ worker, runIds, refusal }: Request<'release'>, now: number): readonly Error[] {
    this.#leases.released(runIds === undefined ? worker : undefined);
    const corrupt: Error[] = [];
    for (const key of this.#keysOf(worker, runIds)) {
      try {
        const known = this.#tables.runs.at(key);
        if (known.row.worker !== worker) continue;
        this.#tables.runs.change(known, { worker: null }, known.head);
        if (refusal !== undefined) this.#keepRefusal(known, { worker, ...refusal, at: now });
      } catch (error) {
        corrupt.push(corruption(error));
      }
    }
    return corrupt;
  }

  #keysOf(worker: string, runIds: readonly string[] | undefined): readonly number[] {
    const { connection } = this.#tables;
    if (runIds === undefined) {
      const leased = connection.all('SELECT key FROM runs WHERE worker = ?', worker) as Pick<RunRow, 'key'>[];
      return leased.map(({ key }) => key);
    }
    const find = 'SELECT key FROM runs WHERE run = ?';
    return runIds.flatMap((runId) => (connection.value(find, runId) as number | undefined) ?? []);
  }

  /** Those of other heads say nothing any more. */
  #keepRefusal({ row: { key }, head: { seq } }: KnownRun, refusal: LeaseRefusal): void {
    const { connection } = this.#tables;
    const { worker, code, message, at } = refusal;
    connection.run('DELETE FROM refusals WHERE run = ? AND head <> ?', key, seq);
    const sql =
      'INSERT OR REPLACE INTO refusals (run, worker, head, at, code, message, sum) VALUES (?, ?, ?, ?, ?, ?, ?)';
    connection.run(sql, key, worker, seq, at, code, message, sumOfRefusal(key, seq, refusal));
  }

  #grantDuty({ name, everyMs }: Request<'duty'>, now: number): boolean {
    const { connection } = this.#tables;
    const before = connection.value('SELECT at FROM duties WHERE name = ?', name) as number | undefined;
    // A time to come was written by a clock that was wrong.
    if (before !== undefined && before > now - everyMs && before <= now) return false;
    connection.run('INSERT OR REPLACE INTO duties (name, at) VALUES (?, ?)', name, now);
    return true;
  }
}

/** Whether workers lease runs like this: a visible graph run. */
function isLeasable({ row }: KnownRun): boolean {
  return row.kind === 0 && !isHidden(row);
}

function isFree(known: KnownRun, living: ReadonlyMap<string, number>): boolean {
  return isLeasable(known) && (known.row.worker === null || !living.has(known.row.worker));
}

/** When a lease ends that lasts for so long, by the time of the store; 0 for one that has ended. */
/** Whether a worker lives, by how long its lease lasts. */
function aliveAnswer(now: number, leftMs: number | undefined): Pick<Answer, 'granted' | 'nextDueAt'> {
  return { granted: leftMs !== undefined, nextDueAt: leftMs === undefined ? null : leaseEnd(now, leftMs) };
}

function leaseEnd(now: number, leftMs = -now): number {
  return Math.ceil(now + leftMs);
}

function corruption(error: unknown): Error {
  if (HoldfastError.is(error, 'HOLDFAST_CORRUPT')) return error;
  throw error;
}
