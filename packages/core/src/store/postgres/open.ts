import type { Env } from '../../env/env.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { defineStore, type Store } from '../store.ts';
import { Database } from './connection/database.ts';
import { HostPool } from './connection/hosts.ts';
import { loadPg } from './connection/load-pg.ts';
import type { PostgresPool } from './connection/pool.ts';
import { setUp } from './connection/set-up.ts';
import { PostgresDriver } from './driver.ts';
import { openFailure } from './errors.ts';

/** How a Postgres store is used. */
export interface PostgresStoreOptions {
  /** Your own `pg.Pool`. You end it yourself, after the engine is closed. */
  readonly pool: PostgresPool;
  /** The schema of the tables. Default: `holdfast`. */
  readonly schema?: string | undefined;
  /** False behind a pooler in transaction mode: no prepared statements, no LISTEN. Default: true. */
  readonly named?: boolean | undefined;
}

/** A server, and how to log in. What is missing comes from the environment variables that `pg` knows. */
export interface PostgresServer {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly ssl?: boolean | { readonly rejectUnauthorized: boolean } | undefined;
}

/** The most connections of a pool of the package `pg`. */
function sizeOf(pool: PostgresPool & { readonly options?: { readonly max?: unknown } }): unknown {
  return pool.options?.max;
}

interface ServersOptions {
  readonly schema: string | undefined;
  readonly named: boolean;
  /** The most connections to each server. */
  readonly max: number | undefined;
}

const longestConnectMs = 10_000;
const defaultPatienceMs = 5_000;
const schemaForm = /^[A-Za-z_][A-Za-z0-9_]{0,49}$/u;

/**
 * A store in a schema of a Postgres database, for any number of processes and machines. `openEngine('postgres://…')` opens
 * one with a pool of its own.
 *
 * @example
 * ```ts
 * const pool = new Pool({ connectionString: 'postgres://localhost/app', max: 20 });
 * const pooled = await openEngine(postgresStore({ pool, schema: 'holdfast' }));
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function postgresStore({ pool, schema, named = true }: PostgresStoreOptions): Store {
  if (typeof pool?.connect !== 'function') throw invalid('that pool', 'Pass a pg.Pool.');
  if (named && sizeOf(pool) === 1)
    throw invalid('a pool of one connection', 'One connection always listens. Use max: 2 or more, or named: false.');
  const checked = checkSchema(schema);
  const lent: PostgresPool = { connect: () => pool.connect(), end: async () => undefined };
  return defineStore((env, how) => open({ pool: lent, schema: checked, named, env, ...how }));
}

/** A store on these servers, with pools of its own. Of several, the one that accepts writes is used. */
export function storeOnServers(servers: readonly PostgresServer[], { schema, named, max = 16 }: ServersOptions): Store {
  const checked = checkSchema(schema);
  return defineStore(async (env, how) => {
    const pool = await poolOf(servers, max, how.patienceMs);
    return open({ pool, schema: checked, named, env, ...how });
  });
}

/** A pool of connections to the server that accepts writes. */
export async function poolOf(
  servers: readonly PostgresServer[],
  max: number,
  patienceMs: number = 2 * longestConnectMs,
): Promise<PostgresPool> {
  const createPool = await loadPg();
  const pools = servers.map((server) => {
    const limits = {
      max,
      // Where there is another server, there is time to try that.
      connectionTimeoutMillis: servers.length > 1 ? Math.min(longestConnectMs, patienceMs / 2) : longestConnectMs,
      keepAlive: true,
      // The connection that listens has nothing to send: only so it is noticed when the server's machine is gone.
      keepAliveInitialDelayMillis: 5_000,
      allowExitOnIdle: true,
    };
    const pool = createPool({ ...server, application_name: 'holdfast', ...limits });
    // An idle connection that is lost is replaced when the next one is needed.
    pool.on('error', () => undefined);
    // A server may end a connection in the moment in which the pool hands it out: nobody listens yet, and Node would end
    // the process. Whoever uses the connection is told by its statement.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  });
  const [only] = pools;
  return only !== undefined && pools.length === 1 ? only : new HostPool(pools);
}

interface OpenOptions {
  readonly pool: PostgresPool;
  readonly schema: string;
  readonly named: boolean;
  readonly env: Env;
  readonly again: boolean;
  readonly patienceMs?: number | undefined;
}

async function open({ again, patienceMs = defaultPatienceMs, ...options }: OpenOptions): Promise<PostgresDriver> {
  const { pool, env } = options;
  try {
    // A migration takes as long as it takes.
    await setUp(new Database(options), { again });
  } catch (error) {
    // Nobody waits for it: a pool whose connection could not even be tried never ends.
    void pool.end().catch(() => undefined);
    throw openFailure(error);
  }
  return new PostgresDriver(new Database({ ...options, patienceMs }), env);
}

/** The name of the schema. @throws HOLDFAST_INVALID_OPTION */
export function checkSchema(schema = 'holdfast'): string {
  if (typeof schema === 'string' && schemaForm.test(schema)) return schema;
  throw invalid(`the schema ${JSON.stringify(schema)}`, 'Use 1 to 50 letters, digits and underscores.');
}

function invalid(what: string, next: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', `A Postgres store cannot have ${what}. ${next}`);
}
