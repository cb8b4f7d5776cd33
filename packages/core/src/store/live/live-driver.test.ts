import { describe, expect, test } from 'vitest';
import { deferred } from '../../async/deferred.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { claimOne, commit, create, creationOf, externalWriteOf } from '../../testing/contract/given.ts';
import { failingMemory } from '../../testing/failing-memory.ts';
import { scriptedFaults } from '../../testing/fault/fault-plan.ts';
import { FaultyDriver } from '../../testing/fault/faulty-driver.ts';
import { virtualClock } from '../../testing/virtual-clock.ts';
import { withCalls } from '../../testing/with-calls.ts';
import { CheckedStore } from '../checked-store.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { MemoryDriver } from '../memory/driver.ts';
import { MemoryPlace } from '../memory/memory-place.ts';
import { LiveDriver } from './live-driver.ts';

const runs = { order: 'oldest', limit: 1 } as const;

/** A live driver whose reopening ends when the test says so. */
function setUp() {
  const clock = virtualClock();
  const env = { ...nodeEnv, clock };
  const inside = new MemoryDriver(new MemoryPlace(), env);
  let closes = 0;
  const counting = withCalls(inside, { close: async () => void (closes += 1) });
  const opened = deferred<StoreDriver>();
  const reopen = (): Promise<StoreDriver> => opened.promise;
  const driver = new LiveDriver(counting, { env, reopen, patienceMs: 1_000 });
  return { driver, clock, open: () => opened.resolve(counting), closes: () => closes };
}

describe('LiveDriver', () => {
  test('can be asked again once it was opened again', async () => {
    const { driver, clock, open } = setUp();
    expect(await driver.usableWithin(driver.patience())).toBe(true);
    driver.poison(new Error('failed sync'));
    await expect(driver.call((current) => current.runs(runs))).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_POISONED',
    });
    const usable = driver.usableWithin(driver.patience());
    await clock.advance(500);
    open();
    expect(await usable).toBe(true);
    expect(await driver.call((current) => current.runs(runs))).toEqual({ headers: [], corrupt: [] });
  });

  test('cannot be asked when opening it again takes longer than the patience', async () => {
    const { driver, clock } = setUp();
    driver.poison(new Error('failed sync'));
    const usable = driver.usableWithin(driver.patience());
    await clock.advance(1_001);
    expect(await usable).toBe(false);
  });

  test('cannot be asked where nothing opens it again, or once it is closed', async () => {
    const inside = new MemoryDriver(new MemoryPlace(), nodeEnv);
    const poisoned = new LiveDriver(inside, { env: nodeEnv, patienceMs: 1_000 });
    poisoned.poison('why');
    poisoned.poison('again');
    expect(await poisoned.usableWithin(poisoned.patience())).toBe(false);
    const { driver, closes } = setUp();
    await driver.close();
    expect(await driver.usableWithin(driver.patience())).toBe(false);
    expect(closes()).toBe(1);
  });

  test('gives up opening it again when it is closed, and closes it once', async () => {
    const { driver, closes } = setUp();
    driver.poison(new Error('failed sync'));
    const usable = driver.usableWithin(driver.patience());
    await driver.close();
    expect(await usable).toBe(false);
    expect(closes()).toBe(1);
  });
});

describe('a transient fault', () => {
  test('is retried, by reads, claims and commits alike', async () => {
    const plan = scriptedFaults({
      commit: ['transient-none', 'transient-lost-request', 'transient-lost-answer'],
      resolveDoubt: ['transient-lost-request'],
      runs: ['transient-none', 'transient-lost-answer'],
      claim: ['transient-none'],
    });
    const { store } = failingMemory({ plan });
    await create(store, 'run');
    await commit(store, externalWriteOf('run', { expect: 1 }));
    expect(await store.header('run')).toMatchObject({ head: 2 });
    expect((await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 1_000 })).claimed).toEqual([]);
  });

  test('is not retried by a claim that acquires runs: its caller decides again', async () => {
    const { store } = failingMemory({ plan: scriptedFaults({ claim: ['transient-none'] }) });
    await create(store, 'run');
    await expect(claimOne(store, 'worker', 'run')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
    expect((await claimOne(store, 'worker', 'run')).claimed).toHaveLength(1);
  });

  test('is passed on when it does not end within the patience', async () => {
    const { inside } = failingMemory();
    const driver = new FaultyDriver(inside, () => 'transient-none', nodeEnv);
    const store = new CheckedStore(driver, nodeEnv, { patienceMs: 30 });
    await expect(store.header('run')).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      details: { transient: true },
    });
    await expect(store.commit(creationOf('run'))).rejects.toMatchObject({ details: { effect: 'none' } });
  });
});
