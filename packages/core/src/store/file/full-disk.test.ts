import { beforeEach, describe, expect, test } from 'vitest';
import type { CallsAtOnce, Files } from '../../env/files.ts';
import {
  commit,
  create,
  externalWriteOf,
  note,
  ownerOf,
  seqsOf,
  snapshotOf,
  snapshotsOf,
} from '../../testing/contract/given.ts';
import { systemError } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { changedFiles, withWrite } from '../../testing/file/changed-files.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

let disk: SimulatedDisk;
let store: CheckedStore;
/** How many bytes a journal still takes. */
let room: number;
/** Which journals take no more than that. */
let isFull: (path: string) => boolean;

beforeEach(async () => {
  disk = new SimulatedDisk();
  room = Number.POSITIVE_INFINITY;
  isFull = (path) => path.includes('journal');
  store = await open(
    changedFiles(disk, {
      open: async (path, how) => {
        const handle = await disk.open(path, how);
        const write: CallsAtOnce['write'] = (bytes, position) => {
          const most = isFull(path) ? room : bytes.length;
          handle.atOnce?.write(bytes.subarray(0, most), position);
          if (most < bytes.length) throw systemError('ENOSPC', path);
        };
        return withWrite(handle, write);
      },
    }),
  );
});

async function open(files: Files = disk): Promise<CheckedStore> {
  const env = { ...envOf(disk), files };
  return new CheckedStore(await openFileDriver({ dir: root, env, machine: virtualMachine() }), env);
}

describe('a full disk', () => {
  test('leaves nothing of what it could not take behind what it takes next', async () => {
    await create(store, 'a');
    room = 2_000;
    const long = externalWriteOf('a', { expect: 1, entries: [note('x'.repeat(3_000))] });
    await expect(store.commit(long)).rejects.toMatchObject({ details: { effect: 'none', poisoned: false } });
    await commit(store, externalWriteOf('a', { expect: 1, entries: [note('short')] }));
    const again = await open();
    expect(await seqsOf(again, 'a')).toEqual([1, 2]);
  });

  test('leaves no snapshot of a commit that it could not take', async () => {
    await create(store, 'a', { worker: 'w' });
    room = 10;
    await expect(store.commit(ownerOf('a', { expect: 1, fence: 1, snapshot: snapshotOf(2) }))).rejects.toThrow(
      'ENOSPC',
    );
    room = Number.POSITIVE_INFINITY;
    await commit(store, ownerOf('a', { expect: 1, fence: 1 }));
    expect(await snapshotsOf(await open(), 'a')).toEqual([]);
  });

  test('releases the runs that it has room for', async () => {
    for (const runId of ['a', 'b']) await create(store, runId, { worker: 'w' });
    room = 10;
    isFull = (path) => path.includes(`${folderName('b')}/journal`);
    await expect(store.claim({ type: 'release', worker: 'w' })).rejects.toMatchObject({
      details: { poisoned: false },
    });
    expect(await store.header('a')).toMatchObject({ worker: null });
    expect(await store.header('b')).toMatchObject({ worker: 'w' });
    room = Number.POSITIVE_INFINITY;
    await store.claim({ type: 'release', worker: 'w' });
    expect(await store.header('b')).toMatchObject({ worker: null });
  });

  test('leaves no run that it could not take', async () => {
    room = 10;
    await expect(create(store, 'a', { snapshot: snapshotOf(1) })).rejects.toThrow('ENOSPC');
    expect(await disk.list(`${root}/runs`)).toEqual([]);
    room = Number.POSITIVE_INFINITY;
    await create(store, 'a');
    expect(await snapshotsOf(await open(), 'a')).toEqual([]);
  });
});
