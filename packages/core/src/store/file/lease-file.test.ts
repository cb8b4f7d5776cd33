import { beforeEach, describe, expect, test } from 'vitest';
import { create } from '../../testing/contract/given.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import type { FileDriver } from './driver.ts';
import { openFileDriver } from './open.ts';

const leaseMs = 5_000;
const start = Date.parse('2026-01-01T00:00:00Z');

let disk: SimulatedDisk;
let now: number;

beforeEach(() => {
  disk = new SimulatedDisk();
  now = start;
});

interface Opened {
  readonly driver: FileDriver;
  readonly store: CheckedStore;
}

async function open(): Promise<Opened> {
  const env = envOf(disk);
  const timed = { ...env, clock: { ...env.clock, now: () => now } };
  const driver = (await openFileDriver({ dir: root, env: timed, machine: virtualMachine() })) as FileDriver;
  return { driver, store: new CheckedStore(driver, timed) };
}

async function claimed(store: CheckedStore, worker: string): Promise<number> {
  return (await store.claim({ type: 'one', worker, leaseMs, runId: 'a', ifDue: false })).claimed.length;
}

/** The process of a worker that leases a run dies. */
async function die(): Promise<void> {
  const { driver, store } = await open();
  await create(store, 'a');
  expect(await claimed(store, 'first')).toBe(1);
  await driver.abandon();
}

describe('the lease of a worker whose process died', () => {
  test('lasts as long as it was given for, and no longer', async () => {
    await die();
    now = start + leaseMs - 1;
    const { store } = await open();
    expect(await claimed(store, 'second')).toBe(0);
    now = start + leaseMs;
    expect(await claimed(store, 'second')).toBe(1);
  });

  test('lasts no longer than that where the clock has been set back since', async () => {
    await die();
    now = start - 86_400_000;
    const { store } = await open();
    expect(await claimed(store, 'second')).toBe(0);
    now += leaseMs;
    expect(await claimed(store, 'second')).toBe(1);
  });
});

describe('a duty', () => {
  const duty = { type: 'duty', name: 'sweep', everyMs: 1_000 } as const;
  const granted = async (store: CheckedStore, worker: string): Promise<boolean> =>
    (await store.claim({ ...duty, worker })).granted;

  test('is granted to one worker at a time, also after the process died', async () => {
    const { driver, store } = await open();
    expect(await granted(store, 'first')).toBe(true);
    expect(await granted(store, 'second')).toBe(false);
    await driver.abandon();
    now += 999;
    const { store: next } = await open();
    expect(await granted(next, 'second')).toBe(false);
    now += 1;
    expect(await granted(next, 'second')).toBe(true);
    expect(await granted(next, 'first')).toBe(false);
  });

  test('is granted again where the clock has been set back since', async () => {
    const { store } = await open();
    expect(await granted(store, 'first')).toBe(true);
    now -= 86_400_000;
    expect(await granted(store, 'second')).toBe(true);
  });
});

describe('leases that are corrupt', () => {
  test('are refused with what to do: nothing else has to be restored', async () => {
    await die();
    disk.put(`${root}/leases.json`, Buffer.from('x'));
    await expect(open()).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      message: expect.stringContaining('Remove it: all workers then count as dead.'),
    });
    await disk.remove(`${root}/leases.json`);
    expect(await claimed((await open()).store, 'second')).toBe(1);
  });
});
