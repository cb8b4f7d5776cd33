import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { claimDue, claimOne, commit, create, ownerOf } from '../../../testing/contract/given.ts';
import { giveBack, sql, storeIn, takeSchema, testPool } from '../../../testing/postgres/postgres-places.ts';
import { CheckedStore } from '../../checked-store.ts';
import { openDriver } from '../../store.ts';
import { Database } from '../connection/database.ts';
import { Deaths } from './deaths.ts';

/** A store with a run that the worker `w` leases, and whoever looks for deaths: at once, not 400 ms apart. */
async function setUp() {
  const schema = await takeSchema();
  const driver = await openDriver(storeIn(schema), nodeEnv);
  const store = new CheckedStore(driver, nodeEnv);
  onTestFinished(async () => {
    await store.close();
    await giveBack(schema);
  });
  await create(store, 'run', { wakeAt: 1 });
  await claimOne(store, 'w', 'run');
  const database = new Database({ pool: await testPool(), schema, named: true, env: nodeEnv });
  const deaths = new Deaths(database, { own: () => ['other'], apartMs: 0, monotonicMs: nodeEnv.monotonicMs });
  /** Someone whose looks take so long. */
  const slow = (ms: number): Deaths => {
    let nowMs = 0;
    const monotonicMs = (): number => {
      nowMs += ms;
      return nowMs;
    };
    return new Deaths(database, { own: () => ['other'], apartMs: 1, monotonicMs });
  };
  const dead = async (): Promise<readonly string[]> => (await deaths.look()).dead;
  /** As if the worker had had a lock on this server, or on another one. */
  const lock = (born = 'pg_postmaster_start_time()::text') =>
    sql(`UPDATE "${schema}".leases SET lock = 7, born = ${born}`);
  return { schema, store, driver, deaths, slow, dead, lock };
}

describe('a worker without its session lock', () => {
  test('is dead after two looks without a sign of life, and its run is free', async () => {
    const { store, dead, lock, deaths } = await setUp();
    await lock();
    expect(await deaths.look()).toMatchObject({ dead: [], hasSuspects: true, living: 1 });
    expect(await dead()).toEqual(['w']);
    expect(await dead()).toEqual([]);
    expect((await store.claim({ type: 'alive', worker: 'w' })).granted).toBe(false);
    const { claimed } = await claimDue(store, 'other');
    expect(claimed.map(({ takenFrom, header }) => [takenFrom, header.claims])).toEqual([
      [{ worker: 'w', noticed: 'death' }, 1],
    ]);
  });

  test('is given more time where all that is asked of the server takes long', async () => {
    const { slow, lock } = await setUp();
    await lock();
    const busy = slow(600_000);
    for (const look of [1, 2, 3]) expect([look, (await busy.look()).dead]).toEqual([look, []]);
    const idle = slow(1);
    await expect.poll(async () => (await idle.look()).dead).toEqual(['w']);
  });

  test('lives while it commits', async () => {
    const { store, dead, lock } = await setUp();
    await lock();
    for (let expected = 1; expected < 5; expected += 1) {
      expect(await dead()).toEqual([]);
      await commit(store, ownerOf('run', { expect: expected, fence: 1 }));
    }
  });

  test('lives while it renews its lease', async () => {
    const { store, dead, lock } = await setUp();
    await lock();
    for (let beat = 0; beat < 4; beat += 1) {
      expect(await dead()).toEqual([]);
      await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 + beat });
    }
  });

  test('lives for its lease where another server had the lock, or none did', async () => {
    const { dead, lock, schema } = await setUp();
    for (const look of [1, 2, 3]) expect([look, await dead()]).toEqual([look, []]);
    await lock("'the primary before'");
    for (const look of [1, 2, 3]) expect([look, await dead()]).toEqual([look, []]);
    await sql(`UPDATE "${schema}".leases SET lock = NULL`);
    expect(await dead()).toEqual([]);
  });

  test('is alive again when it comes back, and the death of its lease is told as such', async () => {
    const { store, schema, dead, lock } = await setUp();
    await lock();
    await dead();
    expect(await dead()).toEqual(['w']);
    await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
    expect((await store.claim({ type: 'alive', worker: 'w' })).granted).toBe(true);
    await sql(`UPDATE "${schema}".leases SET until = 0`);
    const { claimed } = await claimOne(store, 'other', 'run');
    expect(claimed[0]?.takenFrom).toEqual({ worker: 'w', noticed: 'lease' });
  });

  test('is not suspected while it holds the lock, nor after its connection was lost', async () => {
    const { store, driver, deaths, schema } = await setUp();
    const stop = driver.watch(() => undefined);
    onTestFinished(() => stop());
    const lockOf = async (): Promise<unknown> =>
      (await sql(`SELECT lock::text FROM "${schema}".leases WHERE worker = 'w'`))[0]?.[0];
    await expect.poll(lockOf).toEqual(expect.any(String));
    expect(await deaths.look()).toMatchObject({ hasSuspects: false });
    const before = await lockOf();
    const holder = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
      AND ((classid::bigint << 32) | objid::bigint) = $1::bigint`;
    await sql(holder, [before]);
    // It says so, and has another connection soon.
    await expect.poll(async () => (await deaths.look()).hasSuspects).toBe(false);
    expect((await deaths.look()).dead).toEqual([]);
    await expect.poll(lockOf).toBe(before);
    await store.claim({ type: 'release', worker: 'w' });
    const held =
      "SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND ((classid::bigint << 32) | objid::bigint) = $1::bigint";
    await expect.poll(() => sql(held, [before])).toEqual([[0]]);
  });
});
