import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { commit, create, externalWriteOf, headerOf, note } from '../../../testing/contract/given.ts';
import { type Intercept, interceptedPool, lostConnection } from '../../../testing/postgres/failing-pool.ts';
import {
  createTestPool,
  giveBack,
  sql,
  storeIn,
  takeSchema,
  testPool,
} from '../../../testing/postgres/postgres-places.ts';
import { CheckedStore } from '../../checked-store.ts';
import { openDriver } from '../../store.ts';
import { faultOf } from '../../store-fault.ts';
import { Database } from './database.ts';

/** A store whose statements pass through the test's hands. */
async function setUp(intercept: Intercept) {
  const schema = await takeSchema();
  let isOn = false;
  const pool = interceptedPool(await testPool(), (query, execute) => (isOn ? intercept(query, execute) : execute()));
  const driver = await openDriver(storeIn(schema, pool), nodeEnv);
  const store = new CheckedStore(driver, nodeEnv);
  onTestFinished(async () => {
    isOn = false;
    await store.close();
    await giveBack(schema);
  });
  return { store, driver, schema, fail: (on: boolean) => (isOn = on) };
}

const writes = /INSERT INTO "\w+"\.rows/u;

describe('a connection that is lost', () => {
  test('before a commit reaches the server: the commit is repeated', async () => {
    let cuts = 0;
    const { store, fail } = await setUp(async (query, execute) => {
      if (!writes.test(query.text) || cuts === 3) return execute();
      cuts += 1;
      throw lostConnection();
    });
    fail(true);
    await create(store, 'run');
    await commit(store, externalWriteOf('run', { expect: 1 }));
    expect(cuts).toBe(3);
    expect(await headerOf(store, 'run')).toMatchObject({ head: 2 });
  });

  test('after a commit: it is found, and not made twice', async () => {
    let cuts = 0;
    const { store, fail } = await setUp(async (query, execute) => {
      const result = await execute();
      if (!writes.test(query.text) || cuts === 2) return result;
      cuts += 1;
      throw lostConnection();
    });
    fail(true);
    await create(store, 'run');
    await commit(store, externalWriteOf('run', { expect: 1, entries: [note('once')] }));
    const records = await store.records({ runId: 'run', order: 'oldest', limit: 9 });
    expect(records.map(({ payload }) => payload)).toEqual(['first', 'once']);
    expect(cuts).toBe(2);
  });

  test('while a statement is still on its way: it is refused when it arrives', async () => {
    const late: (() => Promise<unknown>)[] = [];
    let most = 1;
    const { store, fail } = await setUp(async (query, execute) => {
      if (!writes.test(query.text) || late.length === most) return execute();
      const client = await (await testPool()).connect();
      const unnamed = { ...query, name: undefined };
      late.push(async () => {
        await client.query(unnamed);
        client.release();
      });
      throw lostConnection();
    });
    await create(store, 'there');
    fail(true);
    await commit(store, externalWriteOf('there', { expect: 1, entries: [note('once')] }));
    most = 2;
    await create(store, 'new', { entries: [note('first')] });
    for (const arrive of late) await arrive();
    expect(late).toHaveLength(2);
    expect(await headerOf(store, 'there')).toMatchObject({ head: 2, epoch: 1 });
    expect(await headerOf(store, 'new')).toMatchObject({ head: 1, epoch: 1 });
    expect((await store.records({ runId: 'there', order: 'newest', limit: 1 }))[0]?.payload).toBe('once');
  });
});

describe('a warning with a commit', () => {
  test('means that the commit is in doubt, and is settled', async () => {
    let warnings = 0;
    const schema = await takeSchema();
    const real = await testPool();
    const pool = {
      ...real,
      connect: async () => {
        const client = await real.connect();
        return interceptedPool({ connect: async () => client, end: async () => undefined }, async (query, execute) => {
          const result = await execute();
          if (writes.test(query.text) && warnings === 0) {
            warnings += 1;
            const raise = `DO $$ BEGIN RAISE WARNING 'canceling wait for synchronous replication'; END $$`;
            await client.query({ text: raise, values: [], rowMode: 'array' });
          }
          return result;
        }).connect();
      },
      end: async () => undefined,
    };
    const driver = await openDriver(storeIn(schema, pool), nodeEnv);
    const store = new CheckedStore(driver, nodeEnv);
    await create(store, 'run');
    await commit(store, externalWriteOf('run', { expect: 1 }));
    expect(warnings).toBe(1);
    expect(await headerOf(store, 'run')).toMatchObject({ head: 2 });
    await store.close();
    await giveBack(schema);
  });
});

async function open(pool?: Awaited<ReturnType<typeof createTestPool>>): Promise<Database> {
  return new Database({ pool: pool ?? (await testPool()), schema: 'public', named: true, env: nodeEnv });
}

describe('Database', () => {
  test('rolls a transaction back, and says that it had no effect', async () => {
    const database = await open();
    const failing = database.transaction((session) => session.rows('SELECT 1 / $1::int', [0]));
    await expect(failing.catch((error: unknown) => Promise.reject(faultOf(error)))).rejects.toMatchObject({
      effect: 'none',
      transient: false,
    });
    await expect(database.transaction(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(await database.rows('SELECT $1::int', [7])).toEqual([[7]]);
  });

  test('takes a terminated connection for one whose last statement is in doubt', async () => {
    const database = await open();
    const terminated = database.rows('SELECT pg_terminate_backend(pg_backend_pid()), $1::int', [1]);
    await expect(terminated.catch((error: unknown) => Promise.reject(faultOf(error)))).rejects.toMatchObject({
      effect: 'unknown',
      transient: true,
    });
    const inside = database.transaction((session) =>
      session.rows('SELECT pg_terminate_backend(pg_backend_pid()), $1::int', [1]),
    );
    await expect(inside.catch((error: unknown) => Promise.reject(faultOf(error)))).rejects.toMatchObject({
      effect: 'none',
    });
    expect(await database.rows('SELECT $1::int', [7])).toEqual([[7]]);
  });

  test('sent nothing if there was no connection', async () => {
    const pool = await createTestPool({ port: 1 });
    const failing = (await open(pool)).rows('SELECT 1', []);
    await expect(failing.catch((error: unknown) => Promise.reject(faultOf(error)))).rejects.toMatchObject({
      effect: 'none',
      transient: true,
    });
    await pool.end();
  });

  test('reads the time of the server, unless a clock was given', async () => {
    const [row] = await sql('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)');
    const database = await open();
    expect(database.givenTime()).toBeNull();
    const given = new Database({
      pool: await testPool(),
      schema: 'public',
      named: true,
      env: { ...nodeEnv, clock: { ...nodeEnv.clock, now: () => 7 } },
    });
    expect(given.givenTime()).toBe(7);
    expect(Number(row?.[0])).toBeGreaterThan(0);
  });
});

describe('a transaction of our own', () => {
  test('loses its locks when its process stops in the middle of it, and is repeated', async () => {
    const schema = await takeSchema();
    const driver = await openDriver(storeIn(schema), nodeEnv);
    const database = new Database({ pool: await testPool(), schema, named: false, env: nodeEnv });
    onTestFinished(async () => {
      await driver.close();
      await giveBack(schema);
    });
    const stopped = database.transaction(async (session) => {
      const [row] = await session.rows("SELECT current_setting('idle_in_transaction_session_timeout')", []);
      expect(row).toEqual(['3s']);
      const [self] = await session.rows('SELECT pg_backend_pid()', []);
      const isThere = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';
      // The process does nothing: it waits until the server has ended its connection.
      await expect.poll(() => sql(isThere, [self?.[0]])).toEqual([]);
      await session.rows('SELECT 1', []);
    });
    const fault = faultOf(await stopped.catch((error: unknown) => error));
    expect(fault).toMatchObject({ effect: 'none', transient: true });
  });
});
