// Steps that change the user's own tables: what they write and their result commit together, or not at all.
import { join } from 'node:path';
import { type EngineOptions, type Store, workflow } from 'holdfast';
import { type SqliteDatabase, sqliteStore, transaction } from 'holdfast/sqlite';
import { defineStore } from 'holdfast/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { nodeEnv } from '../../src/env/node-env.ts';
import type { BatchResult } from '../../src/store/contract/commit.ts';
import { loadSqlite } from '../../src/store/sqlite/connection/load-sqlite.ts';
import { openDriver } from '../../src/store/store.ts';
import { storeFault } from '../../src/store/store-fault.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { describeEverywhere, placeOn, temporaryFolder } from './every-place.ts';

const none = z.object({});
const question = { show: z.string(), answer: z.string() };

interface Bank {
  readonly file: string;
  readonly database: SqliteDatabase;
  readonly charges: () => number;
}

/** A database of a user with a table of charges. */
async function openBank(file: string = join(temporaryFolder(), 'bank.db')): Promise<Bank> {
  const DatabaseSync = await loadSqlite();
  const database = new DatabaseSync(file);
  onTestFinished(() => {
    database.close();
  });
  // The store comes first: a file with other tables is taken for somebody else's.
  await (await openDriver(sqliteStore(database), nodeEnv)).close();
  database.exec('CREATE TABLE IF NOT EXISTS charges (id TEXT, cents INTEGER)');
  const count = (): { n: number } => database.prepare('SELECT count(*) AS n FROM charges').get() as { n: number };
  return { file, database, charges: () => count().n };
}

function insert(database: SqliteDatabase, id: string): number {
  return Number(database.prepare('INSERT INTO charges VALUES (?, 100)').run(id).changes);
}

/** An engine on the user's database, or on a store made of it. */
async function openOn(store: Store, options: EngineOptions) {
  return placeOn(store).open(options);
}

describe('step(name, transaction(fn))', () => {
  test('commits what it wrote with its result, and never runs again', async () => {
    const bank = await openBank();
    let calls = 0;
    const order = workflow('order', { input: none, asks: { ok: question } }, async (_, { step, ask }) => {
      const charged = await step(
        'charge',
        transaction((database, { key }) => {
          calls += 1;
          return insert(database, key);
        }),
        { effect: 'once' },
      );
      return [charged, await ask('ok', 'ok?')];
    });
    const engine = await openOn(sqliteStore(bank.database), { graphs: [order] });
    const run = await engine.start(order, {});
    expect((await run.outcome()).status).toBe('waiting');
    expect(bank.charges()).toBe(1);
    await run.answer('ok', 'yes');
    expect(await run.result()).toEqual([1, 'yes']);
    expect({ calls, charges: bank.charges() }).toEqual({ calls: 1, charges: 1 });
  });

  test('takes back what it wrote when it throws, and commits once when it is tried again', async () => {
    const bank = await openBank();
    const flow = workflow('flow', { input: none }, (_, { step }) =>
      step(
        'charge',
        transaction((database, { attempt, key }) => {
          insert(database, key);
          if (attempt === 1) throw new Error('the bank is closed');
          return attempt;
        }),
        { retry: { attempts: 2, backoff: 1 } },
      ),
    );
    const engine = await openOn(sqliteStore(bank.database), { graphs: [flow] });
    expect(await engine.start(flow, {}).result()).toBe(2);
    expect(bank.charges()).toBe(1);
  });

  test.each([
    ['a promise', () => Promise.resolve(1), 'must be synchronous'],
    ['a rejected promise', () => Promise.reject(new Error('never seen')), 'must be synchronous'],
    ['a function', () => () => 1, 'cannot be stored'],
    ['more than the store takes', () => 'x'.repeat(20_000_000), 'bytes'],
  ])('refuses %s, takes back what it wrote, and the run goes on', async (_, result, message) => {
    const bank = await openBank();
    const flow = workflow('flow', { input: none }, async (_input, { step }) => {
      const body = transaction<unknown>((database) => {
        insert(database, 'x');
        return result();
      });
      const failed = await step('charge', body).catch((error: Error) => error.message);
      return [failed, await step('after', () => 'after')];
    });
    const engine = await openOn(sqliteStore(bank.database), { graphs: [flow] });
    expect(await engine.start(flow, {}).result()).toEqual([expect.stringContaining(message), 'after']);
    expect(bank.charges()).toBe(0);
  });

  test('is not called as a plain function', () => {
    const body = transaction(() => 1);
    expect(() => (body as unknown as () => void)()).toThrow('step(name, transaction(fn))');
  });

  test('is done again on top of what another process wrote meanwhile', async () => {
    const bank = await openBank();
    const other = await openBank(bank.file);
    let calls = 0;
    const flow = workflow('flow', { input: none, receives: { hello: z.string() } }, async (_, { step, receive }) => {
      const body = transaction((database) => {
        calls += 1;
        return insert(database, 'x');
      });
      return [await step('charge', body), await receive('hello')];
    });
    const visitor = await openOn(sqliteStore(other.database), { executes: false });
    const visited = defineStore(async (env, how) => {
      const driver = await openDriver(sqliteStore(bank.database), env, how);
      return withCalls(driver, {
        watch: () => () => {},
        transact: async (given) => {
          if (calls === 0) await visitor.get('run').send('hello', 'hi');
          return driver.transact?.(given) as Promise<BatchResult>;
        },
      });
    });
    const engine = await openOn(visited, { graphs: [flow] });
    const run = await engine.start(flow, {}, { id: 'run' });
    expect(await run.result()).toEqual([1, 'hi']);
    expect({ calls, charges: bank.charges() }).toEqual({ calls: 2, charges: 1 });
  });

  test.each(['before', 'after'] as const)('happens once when the connection breaks %s its commit', async (moment) => {
    const bank = await openBank();
    let breaks = 1;
    const flow = workflow('flow', { input: none }, (_, { step }) =>
      step(
        'charge',
        transaction((database) => insert(database, 'x')),
      ),
    );
    const broken = defineStore(async (env, how) => {
      const driver = await openDriver(sqliteStore(bank.database), env, how);
      return withCalls(driver, {
        transact: async (given) => {
          breaks -= 1;
          if (breaks < 0 || driver.transact === undefined) return driver.transact?.(given) as Promise<BatchResult>;
          if (moment === 'after') await driver.transact(given);
          // It came to the commit: the batch is known, and nobody knows whether it is there.
          else given.batchOf(1);
          throw storeFault({ effect: 'unknown', transient: true, cause: new Error('connection lost') });
        },
      });
    });
    const engine = await openOn(broken, { graphs: [flow] });
    expect(await engine.start(flow, {}).result()).toBe(1);
    expect(bank.charges()).toBe(1);
  });
});

describeEverywhere('step(name, transaction(fn)) without a database of the user', (place) => {
  test('fails, and says what to do', async () => {
    const flow = workflow('flow', { input: none }, (_, { step }) =>
      step(
        'charge',
        transaction(() => 1),
      ),
    );
    const engine = await place().open({ graphs: [flow] });
    await expect(engine.start(flow, {}).result()).rejects.toThrow(/sqliteStore\(database\)|not on SQLite/u);
  });
});
