import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { create } from '../../testing/contract/given.ts';
import { giveBack, sql, storeIn, takeSchema, testPool } from '../../testing/postgres/postgres-places.ts';
import { CheckedStore } from '../checked-store.ts';
import type { Hint } from '../contract/driver.ts';
import { openDriver } from '../store.ts';
import { Database } from './connection/database.ts';
import type { PostgresClient } from './connection/pool.ts';
import { Presence } from './lease/presence.ts';
import { Watcher } from './watch.ts';

/** Two open stores of one schema. */
async function setUp() {
  const schema = await takeSchema();
  const stores: CheckedStore[] = [];
  for (let count = 0; count < 2; count += 1)
    stores.push(new CheckedStore(await openDriver(storeIn(schema), nodeEnv), nodeEnv));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    await giveBack(schema);
  });
  const [one, other] = stores as [CheckedStore, CheckedStore];
  const hints: (Hint | undefined)[] = [];
  const stop = one.watch((hint) => hints.push(hint));
  // The first hint says that it listens.
  await expect.poll(() => hints.length).toBe(1);
  return { one, other, hints, stop };
}

describe('watch()', () => {
  test('tells of commits of another process, with their heads', async () => {
    const { other, hints } = await setUp();
    await create(other, 'theirs');
    await expect.poll(() => hints).toContainEqual({ runId: 'theirs', head: 1, notDue: true });
  });

  test('tells whether a worker has to look for the run', async () => {
    const { other, hints } = await setUp();
    await create(other, 'theirs', { wakeAt: 0 });
    await expect.poll(() => hints).toContainEqual({ runId: 'theirs', head: 1, notDue: false });
  });

  test('tells of its own commits once', async () => {
    const { one, other, hints } = await setUp();
    await create(one, 'mine');
    await create(other, 'theirs');
    await expect.poll(() => hints).toContainEqual({ runId: 'theirs', head: 1, notDue: true });
    expect(hints.filter((hint) => hint?.runId === 'mine')).toHaveLength(1);
  });

  test('tells that any run may have changed when there were many, and when runs were released', async () => {
    const { other, hints } = await setUp();
    await Promise.all(Array.from({ length: 60 }, (_, at) => create(other, `run-${at}`)));
    await expect.poll(() => hints.filter((hint) => hint === undefined).length).toBeGreaterThan(1);
    const before = hints.filter((hint) => hint === undefined).length;
    await other.claim({ type: 'release', worker: 'worker' });
    await expect.poll(() => hints.filter((hint) => hint === undefined).length).toBeGreaterThan(before);
  });

  test('listens again after its connection was lost, and says that hints may be missing', async () => {
    const { other, hints } = await setUp();
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`,
    );
    await expect.poll(() => hints.length).toBeGreaterThan(1);
    await create(other, 'later');
    await expect.poll(() => hints).toContainEqual({ runId: 'later', head: 1, notDue: true });
  });

  test('stops listening when nobody watches, and begins again', async () => {
    const { one, other, hints, stop } = await setUp();
    stop();
    await create(other, 'unseen');
    one.watch((hint) => hints.push(hint));
    await expect.poll(() => hints.length).toBeGreaterThan(1);
    expect(hints.slice(0, 2)).toEqual([undefined, undefined]);
  });

  test('does not listen behind a pooler, and survives messages without a payload', async () => {
    const pool = await testPool();
    const clients: PostgresClient[] = [];
    const counting = {
      connect: async () => clients[clients.push(await pool.connect()) - 1] as PostgresClient,
      end: async () => undefined,
    };
    const unnamed = new Database({ pool: counting, schema: 'public', named: false, env: nodeEnv });
    const watcher = new Watcher(unnamed, nodeEnv, new Presence(unnamed));
    watcher.add(() => undefined);
    await watcher.close();
    expect(clients).toEqual([]);
    const database = new Database({ pool: counting, schema: 'public', named: true, env: nodeEnv });
    const named = new Watcher(database, nodeEnv, new Presence(database));
    const hints: unknown[] = [];
    named.add((hint) => hints.push(hint));
    await expect.poll(() => hints.length).toBe(1);
    (clients[0] as unknown as { emit(event: string, message: unknown): void }).emit('notification', {});
    expect(hints).toEqual([undefined, undefined]);
    await named.close();
    named.tell([undefined]);
    expect(hints).toHaveLength(2);
  });
});
