// submit, send and answer within a transaction of the user: they happen if and only if it commits.
import { join } from 'node:path';
import { type Engine, type EngineOptions, workflow } from 'holdfast';
import { sqliteStore } from 'holdfast/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { loadSqlite } from '../../src/store/sqlite/connection/load-sqlite.ts';
import { sql } from '../../src/testing/postgres/postgres-places.ts';
import { memoryPlace, placeOn, temporaryFolder } from './every-place.ts';
import { openPostgresBank } from './postgres-bank.ts';

/** A database of a user with a table of orders, and a transaction of theirs. */
interface Shop {
  readonly open: (options: EngineOptions) => Promise<Engine>;
  readonly client: object;
  readonly execute: (statement: string) => Promise<unknown>;
  readonly order: (id: string) => Promise<unknown>;
  readonly orders: () => Promise<readonly unknown[]>;
}

async function postgresShop(): Promise<Shop> {
  const { open, table, charges, connect } = await openPostgresBank();
  const client = await connect();
  return {
    open,
    client,
    execute: (statement) => client.query(statement),
    order: (id) => client.query(`INSERT INTO ${table} VALUES ($1)`, [id]),
    orders: charges,
  };
}

async function sqliteShop(): Promise<Shop> {
  const DatabaseSync = await loadSqlite();
  const database = new DatabaseSync(join(temporaryFolder(), 'shop.db'));
  onTestFinished(() => {
    database.close();
  });
  return {
    open: async (options) => {
      const engine = await placeOn(sqliteStore(database)).open(options);
      database.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT)');
      return engine;
    },
    client: database,
    execute: async (statement) => database.exec(statement),
    order: async (id) => database.prepare('INSERT INTO orders VALUES (?)').run(id),
    orders: async () => (database.prepare('SELECT id FROM orders').all() as { id: string }[]).map(({ id }) => id),
  };
}

const shops = [
  { name: 'postgres', openShop: postgresShop },
  { name: 'sqlite', openShop: sqliteShop },
];

const flow = workflow(
  'flow',
  {
    input: z.object({}),
    receives: { hello: z.string() },
    asks: { ok: { show: z.string(), answer: z.string() } },
  },
  async (_, { ask, receive }) => [await receive('hello'), await ask('ok', 'ok?')],
);
const quick = workflow('quick', { input: z.object({}) }, (_, { step }) => step('a', () => 'done'));

describe.each(shops)('within a transaction of the user, on $name', ({ openShop }) => {
  test('a run exists once the transaction has committed, and a worker executes it', async () => {
    const shop = await openShop();
    const engine = await shop.open({ graphs: [quick], lease: '200ms' });
    await shop.execute('BEGIN');
    await shop.order('o-1');
    const run = await engine.submit(quick, {}, { id: 'run', tags: { order: 'o-1' }, within: shop.client });
    // Its handle would wait for the transaction for ever.
    const awaited = run.result();
    await expect(awaited).rejects.toMatchObject({
      code: 'HOLDFAST_NOT_FOUND',
      message: expect.stringContaining('COMMIT'),
    });
    await shop.execute('COMMIT');
    expect(await run.summary()).toMatchObject({ status: 'pending', tags: { order: 'o-1' } });
    engine.work();
    expect(await run.result()).toBe('done');
    expect(await shop.orders()).toEqual(['o-1']);
  });

  test('a run, a message and an answer are gone when the transaction is rolled back', async () => {
    const shop = await openShop();
    const engine = await shop.open({ graphs: [quick, flow] });
    const waiting = await engine.start(flow, {}, { id: 'waiting' });
    await waiting.outcome();
    const { head } = await waiting.summary();
    await shop.execute('BEGIN');
    await shop.order('o-1');
    const run = await engine.submit(quick, {}, { id: 'run', within: shop.client });
    await waiting.send('hello', 'hi', { within: shop.client });
    await waiting.answer('ok', 'yes', { within: shop.client });
    await shop.execute('ROLLBACK');
    await expect(run.summary()).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    expect((await waiting.summary()).head).toBe(head);
    expect(await shop.orders()).toEqual([]);
    // The engine's own knowledge of the run is not spoiled.
    await waiting.send('hello', 'again');
    await waiting.answer('ok', 'no');
    expect(await waiting.result()).toEqual(['again', 'no']);
  });

  test('a message and an answer reach the run when the transaction commits', async () => {
    const shop = await openShop();
    const engine = await shop.open({ graphs: [flow], lease: '200ms' });
    const run = await engine.start(flow, {}, { id: 'run' });
    await run.outcome();
    engine.work();
    await shop.execute('BEGIN');
    await run.send('hello', 'hi', { id: 'm-1', within: shop.client });
    await run.send('hello', 'hi', { id: 'm-1', within: shop.client });
    await shop.execute('COMMIT');
    await expect.poll(async () => (await run.summary()).waits.map(({ name }) => name)).toEqual(['ok']);
    const question = await engine.asks(flow).first();
    await shop.execute('BEGIN');
    await engine.answer(question ?? '', 'yes', { by: 'ada', within: shop.client });
    await shop.execute('COMMIT');
    expect(await run.result()).toEqual(['hi', 'yes']);
  });

  test('a run that was submitted within the transaction can be written to there', async () => {
    const shop = await openShop();
    const engine = await shop.open({ graphs: [flow] });
    await shop.execute('BEGIN');
    const run = await engine.submit(flow, {}, { within: shop.client });
    await run.send('hello', 'hi', { within: shop.client });
    await run.answer('ok', 'yes', { within: shop.client });
    await shop.execute('COMMIT');
    await engine.recover();
    expect(await run.result()).toEqual(['hi', 'yes']);
  });

  test('a repeated submit is the same run, and another input is refused without harm to the transaction', async () => {
    const shop = await openShop();
    const input = z.object({ n: z.number() });
    const counted = workflow('counted', { input }, async ({ n }) => n);
    const engine = await shop.open({ graphs: [counted] });
    await shop.execute('BEGIN');
    await engine.submit(counted, { n: 1 }, { id: 'run', within: shop.client });
    await engine.submit(counted, { n: 1 }, { id: 'run', within: shop.client });
    const other = engine.submit(counted, { n: 2 }, { id: 'run', within: shop.client });
    await expect(other).rejects.toMatchObject({ code: 'HOLDFAST_INPUT_MISMATCH' });
    await shop.order('o-1');
    await shop.execute('COMMIT');
    await engine.recover();
    expect(await engine.get(counted, 'run').result()).toBe(1);
    expect(await shop.orders()).toEqual(['o-1']);
  });

  test('refuses a client without a transaction, other clients and suspended runs', async () => {
    const shop = await openShop();
    const engine = await shop.open({ graphs: [flow] });
    const refused = (within: unknown) => engine.submit(flow, {}, { id: 'run', within: within as object });
    await expect(refused(shop.client)).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
      message: expect.stringContaining('BEGIN'),
    });
    await expect(refused({})).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    await expect(refused('client')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    const base = await engine.start(flow, {}, { id: 'base' });
    await base.outcome();
    const fork = await base.fork();
    await shop.execute('BEGIN');
    await expect(fork.answer('ok', 'yes', { within: shop.client })).rejects.toMatchObject({
      code: 'HOLDFAST_SUSPENDED',
    });
    await shop.execute('ROLLBACK');
    await expect(engine.get('run')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    const start = engine.start(flow, {}, { within: shop.client } as object);
    await expect(start).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });
});

test('other work of an engine waits for the transaction on its own SQLite database', async () => {
  const shop = await sqliteShop();
  const engine = await shop.open({ graphs: [quick] });
  await shop.execute('BEGIN');
  await shop.order('o-1');
  const run = engine.start(quick, {});
  let isDone = false;
  const done = run.result().then((result) => {
    isDone = true;
    return result;
  });
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect(isDone).toBe(false);
  await shop.execute('COMMIT');
  expect(await done).toBe('done');
});

test('a client whose connection is lost fails the call, and nothing is there', async () => {
  const { open, connect, charges } = await openPostgresBank();
  const engine = await open({ graphs: [quick] });
  const client = await connect();
  await client.query('BEGIN');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await sql('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  const lost = engine.submit(quick, {}, { id: 'run', within: client });
  await expect(lost).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED', details: { effect: 'none' } });
  await expect(engine.get('run')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
  expect(await charges()).toEqual([]);
});

test('a store that is in no database of the user says so', async () => {
  const engine = await memoryPlace().open({ graphs: [quick] });
  await expect(engine.submit(quick, {}, { within: {} })).rejects.toThrow('Postgres, or sqliteStore(database)');
});
