import { nodeEnv } from '../../../env/node-env.ts';
import { backoffMs } from '../../../time/backoff.ts';
import { settledWithin } from '../../../time/settled-within.ts';
import { problemOf } from '../errors.ts';
import { silence } from './answer-limit.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';

/** While no server accepts writes, they are asked again after so long, later and later. Each time costs each of them a connection. */
const searchAgain = { backoffMs: 100, maxBackoffMs: 500, factor: 2 } as const;
/** A server that is gone may answer nothing at all. The others are asked again meanwhile: one may have been promoted. */
const longestSearchMs = 1_000;
const longestProbeMs = 5_000;

/** The pools of several servers, of which at most one accepts writes. After a failover, it is another one. */
export class HostPool implements PostgresPool {
  readonly #pools: readonly PostgresPool[];
  #current: PostgresPool;
  #search: Promise<void> | undefined;
  /** Connections that lead to a server that accepted writes. A server that stops to do so closes them. */
  #known = new WeakSet<PostgresClient>();
  #isTrusted = true;
  #failures = 0;

  constructor(pools: readonly PostgresPool[]) {
    this.#pools = pools;
    this.#current = pools[0] as PostgresPool;
  }

  /** A connection to the server that accepts writes: usually the same as before. */
  async connect(): Promise<PostgresClient> {
    if (this.#isTrusted) {
      try {
        return await this.#writable(this.#current);
      } catch (error) {
        if (problemOf(error) === 'pool') throw error;
        // Another server may have taken its place.
        this.#isTrusted = false;
      }
    }
    await this.#find();
    return this.#writable(this.#current);
  }

  distrust(): void {
    this.#isTrusted = false;
    this.#known = new WeakSet();
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  async #writable(pool: PostgresPool): Promise<PostgresClient> {
    const client = await pool.connect();
    if (this.#known.has(client)) return client;
    try {
      const text = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'";
      const asked = client.query({ text, values: [], rowMode: 'array' });
      if (!(await settledWithin(asked, { clock: nodeEnv.clock, ms: longestProbeMs }))) throw silence();
      if ((await asked).rows[0]?.[0] === true) throw readOnly();
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#known.add(client);
    return client;
  }

  /**
   * One search for all who need a connection: in the middle of a failover, hundreds of new connections would keep the standby
   * from being promoted. What a search in vain has found counts for a moment.
   */
  #find(): Promise<void> {
    if (this.#search !== undefined) return this.#search;
    const over = (): void => {
      this.#search = undefined;
    };
    this.#search = this.#searchAll();
    this.#search.then(
      () => {
        this.#failures = 0;
        this.#isTrusted = true;
        over();
      },
      () => {
        this.#failures += 1;
        const ms = backoffMs({ ...searchAgain, attempt: this.#failures, random: nodeEnv.random });
        void nodeEnv.clock.sleep(ms, undefined, { background: true }).then(over);
      },
    );
    return this.#search;
  }

  /** Asks all at once. @throws what the last one said that said anything */
  async #searchAll(): Promise<void> {
    let said: unknown = new Error('no server answers');
    const asked = this.#pools.map(async (pool) => {
      try {
        (await this.#writable(pool)).release();
        this.#current = pool;
      } catch (error) {
        said = error;
        throw error;
      }
    });
    const found = Promise.any(asked).catch(() => Promise.reject(said));
    if (!(await settledWithin(found, { clock: nodeEnv.clock, ms: longestSearchMs }))) throw said;
  }
}

/**
 * As a server says it of a statement: in a failover, the old primary is gone and the standby not yet promoted, and that passes
 * within a lease.
 */
function readOnly(): Error {
  return Object.assign(new Error('no server accepts writes'), { code: '25006', severity: 'ERROR' });
}
