import type { Env } from '../../env/env.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { CheckedStore } from '../../store/checked-store.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import { type CreatePool, loadPg } from '../../store/postgres/connection/load-pg.ts';
import type { PostgresPool } from '../../store/postgres/connection/pool.ts';
import { postgresStore } from '../../store/postgres/open.ts';
import { tables } from '../../store/postgres/schema.ts';
import { defineStore, openDriver, type Store } from '../../store/store.ts';
import type { StorePlace } from '../store-place.ts';
import { holdTime } from '../virtual-clock.ts';
import { testServer } from './server.ts';

/** A pool of the server for tests. */
export type TestPool = ReturnType<CreatePool>;

let shared: Promise<TestPool> | undefined;

/** One pool for all tests of a process: connecting takes longer than most tests. */
export function testPool(): Promise<TestPool> {
  shared ??= createTestPool({});
  return shared;
}

interface PoolChanges {
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly host?: string;
  readonly port?: number;
  readonly max?: number;
  readonly connectionTimeoutMillis?: number;
}

/** A pool of its own, with other options. */
export async function createTestPool(changes: PoolChanges): Promise<TestPool> {
  const { hostname, port, username, password, pathname } = new URL(await testServer());
  const pool = (await loadPg())({
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    database: pathname.slice(1),
    max: 40,
    connectionTimeoutMillis: 60_000,
    keepAlive: true,
    allowExitOnIdle: true,
    ...changes,
  });
  pool.on('error', () => undefined);
  return pool;
}

/** Executes one statement on the server for tests. */
export async function sql(text: string, values: readonly unknown[] = []): Promise<readonly (readonly unknown[])[]> {
  const client = await (await testPool()).connect();
  try {
    const { rows } = await client.query({ text, values: [...values], rowMode: 'array' });
    return rows;
  } finally {
    client.release();
  }
}

/** Schemas that no test is using. Creating one takes longer than emptying one. */
const free: string[] = [];
let created = 0;

/** A schema that is empty, or does not exist yet. */
export async function takeSchema(): Promise<string> {
  const schema = free.pop();
  if (schema !== undefined) return schema;
  created += 1;
  const name = `test_${process.pid}_${created}_${Math.floor(Math.random() * 1e9).toString(36)}`;
  await sql(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
  return name;
}

/** Empties a schema and keeps it for the next test. */
export async function giveBack(schema: string): Promise<void> {
  const deletes = tables.map((table) => `DELETE FROM "${schema}".${table};`).join(' ');
  const [row] = await sql(`SELECT to_regclass('"${schema}".meta') IS NOT NULL`);
  if (row?.[0] === true) await sql(deletes);
  free.push(schema);
}

/** A store in this schema, with the pool that all tests share. */
export function storeIn(schema: string, pool?: PostgresPool): Store {
  return defineStore(async (env, how) => {
    return openDriver(postgresStore({ pool: pool ?? (await testPool()), schema }), env, how);
  });
}

/** A store in a schema of its own, which is emptied when the test has ended. */
export function postgresTestStore(onEnd: (end: () => Promise<void>) => unknown): Store {
  let taken: Promise<string> | undefined;
  onEnd(async () => {
    if (taken !== undefined) await giveBack(await taken);
  });
  return defineStore(async (env, how) => {
    taken ??= takeSchema();
    return holdingTime(await listening(await openDriver(storeIn(await taken), env, how)));
  });
}

/** The driver, once it listens: the hint with which it begins would be counted as a change of something. */
async function listening(driver: StoreDriver): Promise<StoreDriver> {
  await new Promise<void>((resolve) => driver.watch(() => resolve()));
  return driver;
}

const calls = ['commit', 'resolveDoubt', 'load', 'records', 'snapshots', 'ids', 'runs', 'claim', 'trim'];

/** The driver, whose calls hold virtual time until they have ended. */
function holdingTime(driver: StoreDriver): StoreDriver {
  return new Proxy(driver, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== 'function') return member;
      const call = member.bind(target) as (...given: unknown[]) => Promise<unknown>;
      return calls.includes(String(name)) ? (...given: unknown[]) => holdTime(call(...given)) : call;
    },
  });
}

/** A place for the contract suite. */
export async function postgresPlace(): Promise<StorePlace> {
  const schema = await takeSchema();
  return {
    store: storeIn(schema),
    // A process that dies leaves what it has committed, and nothing to do.
    crash: async (driver) => driver.close(),
    corrupt: async (runId) => {
      await sql(`UPDATE "${schema}".runs SET graph = graph || 'x' WHERE run = $1`, [runId]);
    },
    destroy: () => giveBack(schema),
  };
}

/** An open driver and the checked store above it. */
export interface Opened {
  readonly driver: StoreDriver;
  readonly store: CheckedStore;
  readonly schema: string;
}

/** Opens a store in a schema of its own for the body. */
export async function withStore<T>(body: (opened: Opened) => Promise<T>, env: Env = nodeEnv): Promise<T> {
  const schema = await takeSchema();
  const driver = await openDriver(storeIn(schema), env);
  const store = new CheckedStore(driver, env);
  try {
    return await body({ driver, store, schema });
  } finally {
    await store.close();
    await giveBack(schema);
  }
}
