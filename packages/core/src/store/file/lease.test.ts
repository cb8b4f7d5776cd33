import { beforeEach, describe, expect, test } from 'vitest';
import { commit, create, externalWriteOf } from '../../testing/contract/given.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

const leaseMs = 5_000;
const due = { type: 'due', leaseMs, graphs: [{ name: 'graph' }], takeover: true } as const;

let disk: SimulatedDisk;
let store: CheckedStore;

beforeEach(async () => {
  disk = new SimulatedDisk();
  store = await open();
});

async function open(readOnly = false): Promise<CheckedStore> {
  const env = envOf(disk);
  return new CheckedStore(await openFileDriver({ dir: root, env, machine: virtualMachine(), readOnly }), env);
}

describe('a refusal', () => {
  const refusal = { code: 'HOLDFAST_NO_CODE', message: 'no such node' };

  test('is seen by a reader beside the writer, and after the next open, until the head moves', async () => {
    await create(store, 'a', { wakeAt: 1 });
    await store.claim({ ...due, worker: 'w', limit: 1 });
    await store.claim({ type: 'release', worker: 'w', runIds: ['a'], refusal });
    const refused = { worker: null, claims: 0, refusals: [{ worker: 'w', ...refusal }] };
    expect(await (await open(true)).header('a')).toMatchObject(refused);
    await store.close();
    store = await open();
    expect(await store.header('a')).toMatchObject(refused);
    expect((await store.claim({ ...due, worker: 'w', limit: 1 })).claimed).toEqual([]);
    await commit(store, externalWriteOf('a', { expect: 1 }));
    expect(await store.header('a')).toMatchObject({ refusals: [] });
    expect((await store.claim({ ...due, worker: 'w', limit: 1 })).claimed.length).toBe(1);
  });
});

describe('a run whose records are corrupt', () => {
  test('is not leased, says so, and stays free', async () => {
    await create(store, 'a', { wakeAt: 1 });
    await create(store, 'b', { wakeAt: 2 });
    const path = `${root}/runs/${folderName('a')}/journal-000000001.jsonl`;
    const bytes = Buffer.from(await disk.readAll(path));
    bytes[bytes.indexOf('first')] = 0x46;
    disk.put(path, bytes);
    const { claimed, corrupt, nextDueAt } = await store.claim({ ...due, worker: 'w', limit: 1 });
    expect(claimed.map(({ header }) => header.runId)).toEqual(['b']);
    expect(corrupt).toMatchObject([{ code: 'HOLDFAST_CORRUPT', details: { runId: 'a', seq: 1 } }]);
    expect(nextDueAt).toBe(null);
    expect(await store.header('a')).toMatchObject({ worker: null, fence: 0 });
  });
});

test('releasing everything leaves out a run that turned out to be corrupt', async () => {
  await create(store, 'a', { worker: 'w' });
  await create(store, 'b', { worker: 'w' });
  await store.close();
  disk.put(`${root}/runs/${folderName('a')}/journal-000000001.jsonl`, Buffer.from('{"what":1}\n'));
  store = await open();
  await store.claim({ type: 'release', worker: 'w' });
  expect(await store.header('b')).toMatchObject({ worker: null });
  await expect(store.header('a')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
});
