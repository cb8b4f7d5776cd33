import type { PostgresClient, PostgresPool } from './pool.ts';

/** The pools of several servers, of which at most one accepts writes. After a failover, it is another one. */
export class HostPool implements PostgresPool {
  readonly #pools: readonly PostgresPool[];
  #current = 0;

  constructor(pools: readonly PostgresPool[]) {
    this.#pools = pools;
  }

  /** A connection to the server that accepts writes: usually the same as before. */
  async connect(): Promise<PostgresClient> {
    let cause: unknown;
    for (let at = 0; at < this.#pools.length; at += 1) {
      const index = (this.#current + at) % this.#pools.length;
      try {
        const client = await writable(this.#pools[index] as PostgresPool);
        this.#current = index;
        return client;
      } catch (error) {
        cause = error;
      }
    }
    throw cause;
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}

/** Connections that are known to lead to a server that accepted writes. A server that stops to do so closes them. */
const known = new WeakSet<PostgresClient>();

async function writable(pool: PostgresPool): Promise<PostgresClient> {
  const client = await pool.connect();
  if (known.has(client)) return client;
  try {
    const text = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'";
    const { rows } = await client.query({ text, values: [], rowMode: 'array' });
    if (rows[0]?.[0] === true) throw readOnly();
  } catch (error) {
    client.release(true);
    throw error;
  }
  known.add(client);
  return client;
}

/**
 * As a server says it of a statement: in a failover, the old primary is gone and the standby not yet promoted, and that passes
 * within a lease.
 */
function readOnly(): Error {
  return Object.assign(new Error('no server accepts writes'), { code: '25006', severity: 'ERROR' });
}
