import { nodeEnv } from '../../../env/node-env.ts';
import { faultOf } from '../../store-fault.ts';
import type { Database, Row } from '../connection/database.ts';
import type { PostgresClient } from '../connection/pool.ts';

/** One lock per worker: held by its session, it ends with the process. */
const take = `SELECT pg_try_advisory_lock(x.lock), x.lock::text, pg_postmaster_start_time()::text
  FROM (SELECT hashtextextended($1, 0) AS lock) AS x`;
const giveUp = 'SELECT pg_advisory_unlock($1::bigint)';
/** Names the server that has the lock: what another one, promoted or started again, does not have says nothing. */
const tell = 'UPDATE @leases SET lock = $2::bigint, born = $3 WHERE worker = $1';
const mostAttempts = 7;
const firstPauseMs = 5;
const untell = 'UPDATE @leases SET lock = NULL WHERE worker = ANY($1::text[])';

/**
 * Shows the other workers that this process lives: by a session lock for each of its workers, on one connection that is
 * kept. The lease decides whatever the lock does not tell.
 */
export class Presence {
  readonly #database: Database;
  /** The workers of this process, and their locks. */
  readonly #locks = new Map<string, string | undefined>();
  #client: PostgresClient | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The workers of this process. */
  get workers(): readonly string[] {
    return [...this.#locks.keys()];
  }

  /** The worker has a lease. Its lock follows: nobody waits for it. */
  began(worker: string): void {
    if (this.#locks.has(worker)) return;
    this.#locks.set(worker, undefined);
    void this.#take(worker);
  }

  /** The worker has released its lease. */
  ended(worker: string): void {
    const lock = this.#locks.get(worker);
    this.#locks.delete(worker);
    if (lock !== undefined && this.#client !== undefined) void ask(this.#client, giveUp, [lock]).catch(() => undefined);
  }

  /** A connection that is kept from now on. */
  async connected(client: PostgresClient): Promise<void> {
    this.#client = client;
    await Promise.all(this.workers.map((worker) => this.#take(worker)));
  }

  /** The connection is gone, and the locks with it, but this process is not. */
  async lost(): Promise<void> {
    this.#client = undefined;
    const workers = this.workers.filter((worker) => this.#locks.get(worker) !== undefined);
    for (const worker of workers) this.#locks.set(worker, undefined);
    if (workers.length > 0) await this.#untell(workers);
  }

  /** What ended the connection may have ended the others too. Until this is said, the others think that the workers are dead. */
  async #untell(workers: readonly string[]): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      if (attempt > 0) await nodeEnv.clock.sleep(firstPauseMs * 2 ** attempt);
      const isTold = await this.#database.rows(untell, [workers]).then(
        () => true,
        (error: unknown) => faultOf(error).transient !== true,
      );
      if (isTold) return;
    }
  }

  async #take(worker: string): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    try {
      const [row] = await ask(client, take, [`${this.#database.schema} ${worker}`]);
      const [isTaken, lock, born] = row as readonly [boolean, string, string];
      if (!isTaken || this.#client !== client || !this.#locks.has(worker)) return;
      this.#locks.set(worker, lock);
      await this.#database.rows(tell, [worker, lock, born]);
      // It may have been lost meanwhile, and told so before this.
      if (this.#client !== client) await this.#untell([worker]);
    } catch {
      // Then its lease tells alone.
    }
  }
}

async function ask(client: PostgresClient, text: string, values: unknown[]): Promise<readonly Row[]> {
  return (await client.query({ text, values, rowMode: 'array' })).rows;
}
