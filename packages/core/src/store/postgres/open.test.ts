import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { create } from '../../testing/contract/given.ts';
import { interceptedPool } from '../../testing/postgres/failing-pool.ts';
import {
  createTestPool,
  giveBack,
  sql,
  storeIn,
  takeSchema,
  testPool,
  withStore,
} from '../../testing/postgres/postgres-places.ts';
import { CheckedStore } from '../checked-store.ts';
import { openDriver } from '../store.ts';
import { Database } from './connection/database.ts';
import { loadPg } from './connection/load-pg.ts';
import type { PostgresClient } from './connection/pool.ts';
import { setUp } from './connection/set-up.ts';
import { postgresStore } from './open.ts';
import { migrations } from './schema.ts';

type Changes = Parameters<typeof createTestPool>[0];

async function pool(changes: Changes) {
  const created = await createTestPool(changes);
  onTestFinished(() => created.end());
  return created;
}

/** Why a store cannot be opened. */
async function problemWith(changes: Changes, schema = 'nowhere'): Promise<unknown> {
  const store = postgresStore({ pool: await pool(changes), schema });
  const error: unknown = await openDriver(store, nodeEnv).then(
    (driver) => driver.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'HOLDFAST_STORE_UNAVAILABLE' });
  return (error as { readonly details: Record<string, unknown> }).details['problem'];
}

/** A role for one test. */
async function role(name: string, options: string): Promise<string> {
  const user = `${name}_${process.pid}`;
  await sql(`DROP ROLE IF EXISTS ${user}`);
  await sql(`CREATE ROLE ${user} LOGIN ${options}`);
  onTestFinished(async () => void (await sql(`DROP ROLE ${user}`)));
  return user;
}

describe('a store that cannot be opened', () => {
  test('says that no server answers', async () => {
    expect(await problemWith({ port: 1 })).toBe('unreachable');
  });

  test('says that the password or the user is wrong', async () => {
    expect(await problemWith({ user: 'nobody_by_this_name' })).toBe('password');
  });

  test('says that the password is wrong', async () => {
    await sql('DROP ROLE IF EXISTS secretive');
    await sql("CREATE ROLE secretive LOGIN PASSWORD 'right'");
    onTestFinished(async () => void (await sql('DROP ROLE secretive')));
    expect(await problemWith({ user: 'secretive', password: 'wrong' })).toBe('password');
  });

  test('says that the database is missing', async () => {
    expect(await problemWith({ database: 'no_such_database' })).toBe('missing');
  });

  test('says that rights are missing', async () => {
    expect(await problemWith({ user: await role('powerless', '') })).toBe('rights');
  });

  test('says that the server accepts no writes', async () => {
    const user = await role('reader', '');
    await sql(`ALTER ROLE ${user} SET default_transaction_read_only = on`);
    expect(await problemWith({ user })).toBe('read-only');
  });

  test('says what the server lacks', async () => {
    const other = interceptedPool(await testPool(), async (query, execute) => {
      const { rows } = await execute();
      const isProbe = query.text.includes('to_regprocedure');
      return { rows: isProbe ? rows.map((row) => [...row.slice(0, -2), 110_000, ['pg_notify(text,text)']]) : rows };
    });
    await expect(openDriver(postgresStore({ pool: other }), nodeEnv)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNAVAILABLE',
      details: { problem: 'server' },
      message: expect.stringMatching(/has no features of Postgres 12, no pg_notify\(text,text\)/u),
    });
  });

  test('says that the encoding is another', async () => {
    const database = `latin_${process.pid}`;
    await sql(`CREATE DATABASE ${database} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const created = await createTestPool({ database });
    try {
      await expect(openDriver(postgresStore({ pool: created }), nodeEnv)).rejects.toMatchObject({
        details: { problem: 'encoding' },
      });
    } finally {
      await created.end();
      await sql(`DROP DATABASE ${database} WITH (FORCE)`);
    }
  });

  test('says that every connection is in use', async () => {
    const small = await pool({ max: 2, connectionTimeoutMillis: 1_000 });
    const connect = (): Promise<PostgresClient> => small.connect().catch(connect);
    const clients = [await connect(), await connect()];
    await expect(openDriver(postgresStore({ pool: small }), nodeEnv)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNAVAILABLE',
      details: { problem: 'pool' },
    });
    for (const client of clients) client.release();
  });

  test('says that the server cancels its statements', async () => {
    const user = await role('hasty', 'SUPERUSER');
    await sql(`ALTER ROLE ${user} SET statement_timeout = 1`);
    const schema = await takeSchema();
    const blocker = await (await testPool()).connect();
    const query = (text: string) => blocker.query({ text, values: [], rowMode: 'array' });
    await query('BEGIN');
    await query(`SELECT pg_advisory_xact_lock(1213156932, hashtext('${schema}'))`);
    expect(await problemWith({ user }, schema)).toBe('timeout');
    await query('ROLLBACK');
    blocker.release();
  });

  test('is refused when the schema is newer than the code, and nothing is written', async () => {
    await withStore(async ({ schema }) => {
      await sql(`UPDATE "${schema}".meta SET version = 99, oldest = 98`);
      await expect(openDriver(storeIn(schema), nodeEnv)).rejects.toMatchObject({
        code: 'HOLDFAST_UNKNOWN_FORMAT',
        details: { version: 99, oldest: 98, newest: migrations.length },
      });
      // A newer schema that still accepts this code is used as it is.
      await sql(`UPDATE "${schema}".meta SET oldest = 1`);
      await (await openDriver(storeIn(schema), nodeEnv)).close();
      expect(await sql(`SELECT version FROM "${schema}".meta`)).toEqual([[99]]);
      await sql(`UPDATE "${schema}".meta SET version = ${migrations.length}`);
    });
  });

  test('is not created anew when it was open before', async () => {
    const schema = await takeSchema();
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await expect(openDriver(storeIn(schema), nodeEnv, { again: true })).rejects.toMatchObject({
      details: { problem: 'missing' },
    });
    await giveBack(schema);
  });

  test('names the package that is missing', async () => {
    await expect(loadPg(() => Promise.reject(new Error('not found')))).rejects.toMatchObject({
      code: 'HOLDFAST_DRIVER_MISSING',
      details: { package: 'pg' },
    });
  });

  test.each([
    [{ pool: undefined }, 'that pool'],
    [{ pool: { connect: (): void => undefined }, schema: 'a"b' }, 'the schema'],
    [{ pool: { connect: (): void => undefined }, schema: 7 }, 'the schema 7'],
    [{ pool: { connect: (): void => undefined, options: { max: 1 } } }, 'one connection'],
  ])('refuses %j', (options, what) => {
    expect(() => postgresStore(options as never)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION', message: expect.stringContaining(what) }),
    );
  });
});

describe('opening', () => {
  test('creates the schema once, whoever comes first', async () => {
    const schema = await takeSchema();
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    const drivers = await Promise.all(Array.from({ length: 4 }, () => openDriver(storeIn(schema), nodeEnv)));
    expect(await sql(`SELECT count(*)::int, max(version) FROM "${schema}".meta`)).toEqual([[1, migrations.length]]);
    for (const driver of drivers) await driver.close();
    await giveBack(schema);
  });

  test('by two versions of Holdfast at once leaves the newer schema, which both can use', async () => {
    const schema = await takeSchema();
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    const before = migrations.slice(0, -1);
    const databases = await Promise.all(
      Array.from(
        { length: 8 },
        async () => new Database({ pool: await testPool(), schema, named: true, env: nodeEnv }),
      ),
    );
    const known = (at: number): typeof migrations => (at % 2 === 0 ? before : migrations);
    await Promise.all(databases.map((database, at) => setUp(database, { again: false, known: known(at) })));
    expect(await sql(`SELECT count(*)::int, max(version) FROM "${schema}".meta`)).toEqual([[1, migrations.length]]);
    await giveBack(schema);
  });

  test('leaves the pool of the user open', async () => {
    const own = await pool({});
    const schema = await takeSchema();
    const driver = await openDriver(postgresStore({ pool: own, schema }), nodeEnv);
    await create(new CheckedStore(driver, nodeEnv), 'run');
    await driver.close();
    const client = await own.connect();
    expect((await client.query({ text: 'SELECT 7', values: [], rowMode: 'array' })).rows).toEqual([[7]]);
    client.release();
    await giveBack(schema);
  });

  test('takes a pool of the package pg as it is', async () => {
    const { default: pg } = await import('pg');
    const options: Parameters<typeof postgresStore>[0] = { pool: new pg.Pool() };
    expect(postgresStore(options)).toBeDefined();
  });
});
