import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../env/node-env.ts';
import { virtualClock } from '../testing/virtual-clock.ts';
import { withCalls } from '../testing/with-calls.ts';
import type { StoreDriver } from './contract/driver.ts';
import { LiveDriver } from './live-driver.ts';
import { MemoryDriver } from './memory/driver.ts';
import { MemoryPlace } from './memory/memory-place.ts';

const runs = { order: 'oldest', limit: 1 } as const;

/** A live driver whose reopening ends when the test says so. */
function setUp() {
  const clock = virtualClock();
  const env = { ...nodeEnv, clock };
  const inside = new MemoryDriver(new MemoryPlace(), env);
  let closes = 0;
  const counting = withCalls(inside, { close: async () => void (closes += 1) });
  let opened: (driver: StoreDriver) => void = () => undefined;
  const reopen = (): Promise<StoreDriver> => new Promise((resolve) => (opened = resolve));
  const driver = new LiveDriver(counting, { env, reopen, patienceMs: 1_000 });
  return { driver, clock, open: () => opened(counting), closes: () => closes };
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
