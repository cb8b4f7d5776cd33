import { type ClaimRequest, type ClaimResult, type LeasedRun, loadLimit } from '../contract/lease.ts';
import { storeFault } from '../store-fault.ts';
import { type Database, type Session, serverTime } from './connection/database.ts';
import {
  acquireRuns,
  corruption,
  isLeasable,
  type LeasedRun as Leased,
  leaseOf,
  lockLessees,
} from './lease/acquire.ts';
import { findDueRuns } from './lease/due-runs.ts';
import { releaseRuns } from './lease/release.ts';
import type { HeadCache } from './run/head-cache.ts';
import { type LoadedRun, loadStoredRun } from './run/load-stored-run.ts';
import { writeRuns } from './run/write-runs.ts';

type Request<T extends ClaimRequest['type']> = ClaimRequest & { readonly type: T };

/** Candidates beyond what is asked for, because other workers may be leasing the first ones. */
const spare = 64;
const mostAttempts = 50;

const time = `t AS MATERIALIZED (SELECT ${serverTime} AS now)`;
const beatWith = (sql: string): string => `WITH ${time}, beat AS (
  INSERT INTO @leases (worker, until) SELECT $2, t.now + $3::float8 FROM t
  ON CONFLICT (worker) DO UPDATE SET until = EXCLUDED.until, died = FALSE) ${sql}`;
const beat = beatWith('SELECT t.now FROM t');
/** With the worker that leases the run, and until when. */
const beatFor = beatWith(`SELECT t.now, r.worker, e.until FROM t LEFT JOIN @runs r ON r.run = $4
  LEFT JOIN @leases e ON e.worker = r.worker`);
const alive = `WITH ${time} SELECT t.now, e.until FROM t LEFT JOIN @leases e ON e.worker = $2 AND e.until > t.now`;
/** A time to come was written by a clock that was wrong. */
const grantDuty = `WITH ${time}, granted AS (INSERT INTO @duties AS d (name, at) SELECT $2, t.now FROM t
  ON CONFLICT (name) DO UPDATE SET at = EXCLUDED.at WHERE d.at <= EXCLUDED.at - $3::float8 OR d.at > EXCLUDED.at
  RETURNING at) SELECT t.now, EXISTS (SELECT 1 FROM granted) FROM t`;

/** Leases: who lives, who leases what, and which runs are free. All of it by the server's time. */
export class Leases {
  readonly #database: Database;
  readonly #cache: HeadCache;

  constructor(database: Database, cache: HeadCache) {
    this.#database = database;
    this.#cache = cache;
  }

  answer(request: ClaimRequest): Promise<ClaimResult> {
    switch (request.type) {
      case 'heartbeat':
        return this.#ask(beat, [request.worker, request.leaseMs]);
      case 'duty':
        return this.#ask(grantDuty, [request.name, request.everyMs]);
      case 'alive':
        return this.#askAlive(request);
      case 'release':
        return this.#release(request);
      case 'one':
        return this.#claimOne(request);
      case 'due':
        return this.#claimDue(request);
    }
  }

  /** One statement that gives the time and whether something is granted. */
  async #ask(sql: string, values: readonly unknown[]): Promise<ClaimResult> {
    const [row] = await this.#database.rows(sql, [this.#database.givenTime(), ...values]);
    return answerAt(row?.[0], { granted: row?.[1] === true });
  }

  async #askAlive({ worker }: Request<'alive'>): Promise<ClaimResult> {
    const [row] = await this.#database.rows(alive, [this.#database.givenTime(), worker]);
    const until = row?.[1] ?? null;
    return answerAt(row?.[0], { granted: until !== null, nextDueAt: until === null ? null : Number(until) });
  }

  async #release(request: Request<'release'>): Promise<ClaimResult> {
    const { now, corrupt } = await releaseRuns(this.#database, request);
    return answerAt(now, { corrupt });
  }

  /** Someone else may change the run between the read and the write, which then finds another `rev`. */
  async #claimOne(request: Request<'one'>): Promise<ClaimResult> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const answer = await this.#tryOne(request);
      if (answer !== undefined) return answer;
    }
    throw storeFault({ effect: 'none', transient: true, cause: new Error('the run keeps changing') });
  }

  async #tryOne({ runId, worker, leaseMs, ifDue, takeover = true }: Request<'one'>): Promise<ClaimResult | undefined> {
    const [row] = await this.#database.rows(beatFor, [this.#database.givenTime(), worker, leaseMs, runId]);
    const [time, lessee, until] = row as readonly [unknown, string | null, unknown];
    const now = Number(time);
    try {
      const loaded = await loadStoredRun(this.#database, { runId, limit: loadLimit });
      if (loaded === undefined || !isLeasable(loaded.known.row)) return answerAt(now, {});
      const { wakeAt, worker: before } = loaded.known.row;
      if (before !== lessee) return undefined;
      const endsAt = before === null ? 0 : before === worker ? Number.POSITIVE_INFINITY : Number(until ?? 0);
      const isDue = !ifDue || (wakeAt !== null && wakeAt <= now);
      if (isDue && endsAt <= now && (takeover || before === null)) {
        const leased =
          before === null
            ? await write(this.#database, leaseOf(loaded, worker, new Set()))
            : await this.#takeOver(loaded, before, worker);
        if (leased !== undefined) this.#cache.set(leased.write.after);
        return leased && answerAt(now, { claimed: [leased.stored] });
      }
      if (!ifDue || wakeAt === null || before === worker) return answerAt(now, {});
      return answerAt(now, { nextDueAt: Math.max(wakeAt, endsAt <= now ? 0 : endsAt) });
    } catch (error) {
      return answerAt(now, { corrupt: [corruption(error)] });
    }
  }

  /** Undefined if the other worker has renewed its lease by now, or the run has changed. */
  #takeOver(loaded: LoadedRun, before: string, worker: string): Promise<Leased | undefined> {
    return this.#database.transaction(async (session) => {
      const { dead, alive } = await lockLessees(session, [before], this.#database.givenTime());
      return alive.has(before) ? undefined : write(session, leaseOf(loaded, worker, dead));
    });
  }

  /** A corrupt run is skipped, or none behind it would ever be leased. A claim that is full does not ask again. */
  async #claimDue(request: Request<'due'>): Promise<ClaimResult> {
    const claimed: LeasedRun[] = [];
    const corrupt = new Map<string, Error>();
    for (let isStuck = false; ; ) {
      const room = request.limit - claimed.length;
      const found = await findDueRuns(this.#database, { ...request, limit: room + spare + corrupt.size });
      let waking = found.waking.filter(({ key }) => !corrupt.has(key));
      const due = waking.filter(({ wakeAt }) => wakeAt <= found.now);
      const isOver = due.length === 0 || room === 0 || isStuck;
      if (!isOver) {
        const acquired = await acquireRuns(this.#database, due, { worker: request.worker, limit: room });
        for (const { stored, write } of acquired.leased) {
          claimed.push(stored);
          this.#cache.set(write.after);
        }
        for (const [key, error] of acquired.corrupt) corrupt.set(key, error);
        const leased = new Set(acquired.leased.map(({ write }) => write.after.row.key));
        waking = waking.filter(({ key }) => !leased.has(key) && !corrupt.has(key));
        // Others are leasing all that is due.
        isStuck = acquired.leased.length + acquired.corrupt.size === 0;
      }
      if (isOver || claimed.length === request.limit) {
        const next = Math.min(waking[0]?.wakeAt ?? Number.POSITIVE_INFINITY, found.nextTakeover);
        const nextDueAt = Number.isFinite(next) ? next : null;
        return answerAt(found.now, { claimed, corrupt: [...corrupt.values()], nextDueAt });
      }
    }
  }
}

/** Undefined if the run has changed since it was loaded. */
async function write(session: Session, leased: Leased): Promise<Leased | undefined> {
  return (await writeRuns(session, [leased.write])).size === 1 ? leased : undefined;
}

function answerAt(now: unknown, parts: Partial<ClaimResult>): ClaimResult {
  return { claimed: [], corrupt: [], granted: false, nextDueAt: null, ...parts, now: Number(now) };
}
