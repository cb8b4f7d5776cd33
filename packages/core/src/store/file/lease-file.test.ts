import { beforeEach, describe, expect, test } from 'vitest';
import { create } from '../../testing/contract/given.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { sealLine } from '../../value/sealed-line.ts';
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

async function beat(store: CheckedStore, worker: string): Promise<void> {
  await store.claim({ type: 'heartbeat', worker, leaseMs });
}

async function claimed(store: CheckedStore, worker: string): Promise<number> {
  await beat(store, worker);
  return (await store.claim({ type: 'one', worker, runId: 'a' })).claimed.length;
}

/** A worker of a process that dies holds a run. */
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

  test('ends when it says where an earlier version did not write how long it was', async () => {
    await die();
    const members = JSON.stringify({ workers: [{ worker: 'first', until: start + 9_000 }] }).slice(0, -1);
    disk.put(`${root}/workers.json`, Buffer.from(sealLine('workers ', members)));
    const { store } = await open();
    now = start + 8_999;
    expect(await claimed(store, 'second')).toBe(0);
    now = start + 9_000;
    expect(await claimed(store, 'second')).toBe(1);
  });
});

describe('leases that are corrupt', () => {
  test('are refused with what to do: nothing else has to be restored', async () => {
    await die();
    disk.put(`${root}/workers.json`, Buffer.from('x'));
    await expect(open()).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      message: expect.stringContaining('Remove it: all workers count as dead then.'),
    });
    await disk.remove(`${root}/workers.json`);
    expect(await claimed((await open()).store, 'second')).toBe(1);
  });
});
