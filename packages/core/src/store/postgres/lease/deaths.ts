import { type Database, serverTime } from '../connection/database.ts';

/** How long a lock has to be missing. A connection that was lost is told of before that. */
const apartMs = 400;
/** A look takes a few milliseconds. Where it takes longer than this, so does all that a living worker does. */
const usualMs = 25;
/** How fast a slow look is forgotten. */
const fading = 0.8;

/** This server had the lock, and has it no more. */
const isUnlocked = `e.until > t.now AND e.lock IS NOT NULL AND e.born = pg_postmaster_start_time()::text
  AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
    AND ((l.classid::bigint << 32) | l.objid::bigint) = e.lock)`;
/** Grows with everything that the worker commits. Each head is looked up alone: a join may read the whole table. */
const commits = `(SELECT coalesce(sum((SELECT h.rev FROM @heads h WHERE h.key = r.key)), 0) FROM @runs r
  WHERE r.worker = e.worker)::text`;
const time = `WITH t AS MATERIALIZED (SELECT ${serverTime} AS now)`;
const look = `${time} SELECT t.now, (SELECT count(*) FROM @leases e WHERE e.until > t.now)::int,
  (SELECT json_agg(json_build_array(e.worker, e.until, ${commits})) FROM @leases e
    WHERE ${isUnlocked} AND NOT e.worker = ANY($2::text[]))::text FROM t`;
const bury = `${time} UPDATE @leases e SET until = t.now, died = TRUE FROM t
  WHERE e.worker = $2 AND e.until = $3::float8 AND ${commits} = $4 AND ${isUnlocked} RETURNING e.worker`;

interface Suspect {
  readonly until: number;
  readonly commits: string;
  /** When its lock was first found missing, by the server's clock. */
  readonly since: number;
}

interface DeathsOptions {
  /** The workers of this process. */
  readonly own: () => readonly string[];
  readonly apartMs?: number | undefined;
  readonly monotonicMs: () => number;
}

/** What a look has found. */
export interface Look {
  /** How many workers live. */
  readonly living: number;
  /** Whether a second look is needed soon. */
  readonly hasSuspects: boolean;
  /** Those whose death was found now. Their leases have ended. */
  readonly dead: readonly string[];
}

/**
 * Finds workers that have died: their lock is missing in two looks, and in between they neither renewed their lease nor
 * committed anything. On a busy machine the looks are further apart. What a worker writes afterwards is refused by the fence, however wrong this was.
 */
export class Deaths {
  readonly #database: Database;
  readonly #own: () => readonly string[];
  readonly #apartMs: number;
  readonly #monotonicMs: () => number;
  /** How long looks have taken. */
  #slowestMs = 0;
  #suspects: ReadonlyMap<string, Suspect> = new Map();

  constructor(database: Database, options: DeathsOptions) {
    this.#database = database;
    this.#own = options.own;
    this.#apartMs = options.apartMs ?? apartMs;
    this.#monotonicMs = options.monotonicMs;
  }

  async look(): Promise<Look> {
    const startedMs = this.#monotonicMs();
    const [row] = await this.#database.rows(look, [this.#database.givenTime(), this.#own()]);
    this.#slowestMs = Math.max(this.#monotonicMs() - startedMs, this.#slowestMs * fading);
    const quietMs = this.#apartMs * Math.max(1, this.#slowestMs / usualMs);
    const [now, living, json] = row as readonly [number, number, string | null];
    const found = json === null ? [] : (JSON.parse(json) as readonly (readonly [string, number, string])[]);
    const suspects = new Map<string, Suspect>();
    const dead: string[] = [];
    for (const [worker, until, written] of found) {
      const before = this.#suspects.get(worker);
      const isSame = before?.until === until && before.commits === written;
      const since = isSame ? before.since : now;
      if (isSame && now - since >= quietMs && (await this.#bury(worker, before))) dead.push(worker);
      else suspects.set(worker, { until, commits: written, since });
    }
    this.#suspects = suspects;
    return { living, hasSuspects: suspects.size > 0, dead };
  }

  /** False if it has shown a sign of life by now, or if another worker was first. */
  async #bury(worker: string, { until, commits: written }: Suspect): Promise<boolean> {
    const values = [this.#database.givenTime(), worker, until, written];
    return (await this.#database.rows(bury, values)).length > 0;
  }
}
