// Steps that change the user's own tables in the Postgres database of the runs: both commit, or neither.
import { type EngineOptions, type Store, workflow } from 'holdfast';
import { postgresStore, type TransactionClient, transaction } from 'holdfast/postgres';
import { transaction as sqliteTransaction } from 'holdfast/sqlite';
import { defineStore } from 'holdfast/store';
import type { PoolClient } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { nodeEnv } from '../../src/env/node-env.ts';
import { openDriver, openStore } from '../../src/store/store.ts';
import { type Cut, cutPool } from '../../src/testing/postgres/failing-pool.ts';
import { sql, testPool } from '../../src/testing/postgres/postgres-places.ts';
import { placeOn } from './every-place.ts';
import { openPostgresBank, type PostgresBank } from './postgres-bank.ts';

const none = z.object({});

/** The store of a bank whose connections are cut. */
function cutOff({ schema }: PostgresBank, cut: Cut): Store {
  return defineStore(async (env, how) => {
    const pool = cutPool(await testPool(), cut);
    return openDriver(postgresStore({ pool, schema }), env, how);
  });
}

function charging({ table }: PostgresBank, { onCall = () => {} }: { readonly onCall?: () => void } = {}) {
  return workflow('flow', { input: none, receives: { hello: z.string() } }, (_, { step }) =>
    step(
      'charge',
      transaction(async (client) => {
        onCall();
        return (await client.query(`INSERT INTO ${table} VALUES ($1)`, ['x'])).rowCount;
      }),
    ),
  );
}

async function engineOn(store: Store, options: EngineOptions) {
  return placeOn(store).open(options);
}

describe('step(name, transaction(fn)) on Postgres', () => {
  test('commits what it wrote with its result, and never runs again', async () => {
    const bank = await openPostgresBank();
    let calls = 0;
    const ask = { ok: { show: z.string(), answer: z.string() } };
    const order = workflow('order', { input: none, asks: ask }, async (_, { step, ask: question }) => {
      const body = transaction(async (client: PoolClient, { key }) => {
        calls += 1;
        await client.query(`INSERT INTO ${bank.table} VALUES ($1)`, ['x']);
        return key.length > 0;
      });
      return [await step('charge', body, { effect: 'once' }), await question('ok', 'ok?')];
    });
    const engine = await bank.open({ graphs: [order] });
    const run = await engine.start(order, {});
    expect((await run.outcome()).status).toBe('waiting');
    expect(await bank.charges()).toEqual(['x']);
    await run.answer('ok', 'yes');
    expect(await run.result()).toEqual([true, 'yes']);
    expect({ calls, charges: await bank.charges() }).toEqual({ calls: 1, charges: ['x'] });
  });

  test('takes back what it wrote when it throws, and commits once when it is tried again', async () => {
    const bank = await openPostgresBank();
    const flow = workflow('flow', { input: none }, (_, { step }) =>
      step(
        'charge',
        transaction(async (client, { attempt }) => {
          await client.query(`INSERT INTO ${bank.table} VALUES ($1)`, [`x${attempt}`]);
          if (attempt === 1) throw new Error('the bank is closed');
          return attempt;
        }),
        { retry: { attempts: 2, backoff: 1 } },
      ),
    );
    const engine = await bank.open({ graphs: [flow] });
    expect(await engine.start(flow, {}).result()).toBe(2);
    expect(await bank.charges()).toEqual(['x2']);
  });

  test.each<[string, (client: TransactionClient, insert: string) => unknown, string]>([
    ['a function', () => () => 1, 'cannot be stored'],
    ['a constraint that is checked at the end', (client, insert) => client.query(insert).then(() => 1), 'unique'],
    ['an error that was caught', (client) => client.query('SELECT 1/0').catch(() => 1), 'its error was caught'],
    ['a COMMIT', (client) => client.query('ROLLBACK').then(() => 1), 'ended the transaction itself'],
    ['another transaction', (client) => client.query('ROLLBACK; BEGIN').then(() => 1), 'ended the transaction itself'],
    ['a release', (client) => (client as PoolClient).release(), 'lent'],
  ])('refuses %s, takes back what it wrote, and the run goes on', async (_, work, message) => {
    const bank = await openPostgresBank();
    const insert = `INSERT INTO ${bank.table} VALUES ('x')`;
    const flow = workflow('flow', { input: none }, async (_input, { step }) => {
      const body = transaction<unknown>(async (client) => {
        await client.query(insert);
        return work(client, insert);
      });
      const failed = await step('charge', body).catch((error: Error) => error.message);
      return [failed, await step('after', () => 'after')];
    });
    const engine = await bank.open({ graphs: [flow] });
    expect(await engine.start(flow, {}).result()).toEqual([expect.stringContaining(message), 'after']);
    expect(await bank.charges()).toEqual([]);
  });

  test('lends its client for the body only', async () => {
    const bank = await openPostgresBank();
    let kept: TransactionClient | undefined;
    const flow = workflow('flow', { input: none }, (_, { step }) =>
      step(
        'keep',
        transaction((client) => {
          kept = client;
          return 1;
        }),
      ),
    );
    const engine = await bank.open({ graphs: [flow] });
    await engine.start(flow, {}).result();
    expect(() => kept?.query('SELECT 1')).toThrow('has ended');
  });

  test('reads a run that has moved again, and does not repeat the work', async () => {
    const bank = await openPostgresBank();
    let calls = 0;
    const flow = workflow('flow', { input: none, receives: { hello: z.string() } }, async (_, { step, receive }) => {
      const body = transaction(async (client) => {
        calls += 1;
        await client.query(`INSERT INTO ${bank.table} VALUES ('x')`);
        // Someone else writes to the run while the transaction is open.
        await visitor.get('run').send('hello', 'hi');
        return 1;
      });
      return [await step('charge', body), await receive('hello')];
    });
    const visitor = await bank.open({ executes: false });
    const engine = await bank.open({ graphs: [flow] });
    const run = await engine.start(flow, {}, { id: 'run' });
    expect(await run.result()).toEqual([1, 'hi']);
    expect({ calls, charges: await bank.charges() }).toEqual({ calls: 1, charges: ['x'] });
  });

  test('takes the work back where another worker leases the run by then', async () => {
    const bank = await openPostgresBank();
    const thief = await openStore(bank.store, nodeEnv);
    onTestFinished(() => thief.close());
    const flow = workflow('flow', { input: none }, (_, { step }) =>
      step(
        'charge',
        transaction(async (client) => {
          await client.query(`INSERT INTO ${bank.table} VALUES ('x')`);
          await sql(`UPDATE "${bank.schema}".leases SET until = 0`);
          const one = { type: 'one', worker: 'thief', leaseMs: 60_000, runId: 'run', ifDue: false } as const;
          stolen.push((await thief.claim(one)).claimed.length);
        }),
      ),
    );
    const stolen: number[] = [];
    const engine = await bank.open({ graphs: [flow] });
    await engine.start(flow, {}, { id: 'run' });
    await expect.poll(() => thief.header('run').then((header) => header?.worker)).toBe('thief');
    await engine.close();
    expect({ stolen, charges: await bank.charges() }).toEqual({ stolen: [1], charges: [] });
  });
});

/** At each statement of a transaction the connection may be lost: before the server executes it, or after. */
const cuts = ['BEGIN', 'INSERT', 'RELEASE SAVEPOINT holdfast_work', 'WITH', 'COMMIT'].flatMap((statement) =>
  (['before', 'after'] as const).map((moment) => ({ statement, moment })),
);

describe.each(cuts)('a connection that is lost $moment $statement', ({ statement, moment }) => {
  test('leaves both or neither, and the step happens once', async () => {
    const bank = await openPostgresBank();
    let calls = 0;
    let cutsLeft = 1;
    let isInside = false;
    const cut: Cut = (text) => {
      isInside ||= text.includes('holdfast_work');
      const isIt = isInside && text.trim().startsWith(statement);
      if (!isIt || cutsLeft === 0) return undefined;
      cutsLeft -= 1;
      return moment;
    };
    const flow = charging(bank, { onCall: () => (calls += 1) });
    const engine = await engineOn(cutOff(bank, cut), { graphs: [flow] });
    expect(await engine.start(flow, {}).result()).toBe(1);
    expect(cutsLeft).toBe(0);
    expect(await bank.charges()).toEqual(['x']);
    // Only what was not committed is done again.
    const isDone = statement === 'COMMIT' && moment === 'after';
    expect(calls).toBe(isDone || statement === 'BEGIN' ? 1 : 2);
  });
});

describe('transaction() of another store', () => {
  test('fails, and says where to import it from', async () => {
    const bank = await openPostgresBank();
    const flow = workflow('flow', { input: none }, (_, { step }) =>
      step(
        'charge',
        sqliteTransaction(() => 1),
      ),
    );
    const engine = await bank.open({ graphs: [flow] });
    await expect(engine.start(flow, {}).result()).rejects.toThrow('not on SQLite');
  });
});
