import { beforeEach, describe, expect, test } from 'vitest';
import type { Env } from '../../env/env.ts';
import type { Files } from '../../env/files.ts';
import { batchOf } from '../../testing/contract/commit/seal-batch.ts';
import {
  commit,
  create,
  creationOf,
  externalWriteOf,
  note,
  notes,
  ownerOf,
  seqsOf,
  snapshotOf,
} from '../../testing/contract/given.ts';
import { systemError } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { changedFiles, withWrite } from '../../testing/file/changed-files.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { type VirtualProcess, virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

const lease = { worker: 'w', leaseMs: 9_000 } as const;
const due = { type: 'due', graphs: [{ name: 'graph', version: 1 }], takeover: true } as const;

let disk: SimulatedDisk;
let machine: VirtualProcess;
let env: Env & { readonly warnings: string[] };
let driver: StoreDriver;
let store: CheckedStore;

beforeEach(async () => {
  disk = new SimulatedDisk();
  machine = virtualMachine();
  await open();
});

async function open(files: Files = disk): Promise<void> {
  env = Object.assign(envOf(disk), { files });
  driver = await openFileDriver({ dir: root, env, machine });
  store = new CheckedStore(driver, env);
}

async function reopen(): Promise<void> {
  await store.close();
  await open();
}

async function crash(): Promise<void> {
  machine.die();
  await open();
}

function journal(runId: string): string {
  return `${root}/runs/${folderName(runId)}/journal-000000001.jsonl`;
}

describe('the index', () => {
  test('is there while the store is closed, and only then', async () => {
    await create(store, 'a');
    expect(await disk.info(`${root}/index.jsonl`)).toBe(undefined);
    await store.close();
    expect(await disk.info(`${root}/index.jsonl`)).toBeDefined();
    await open();
    expect(await disk.info(`${root}/index.jsonl`)).toBe(undefined);
    expect(await store.header('a')).toMatchObject({ head: 1 });
  });

  test('spares reading the runs that nobody asks for', async () => {
    await create(store, 'a');
    await create(store, 'b');
    await store.close();
    const opened: string[] = [];
    const files = changedFiles(disk, {
      readAll: (path) => {
        opened.push(path);
        return disk.readAll(path);
      },
    });
    await open(files);
    await seqsOf(store, 'b');
    expect(opened.filter((path) => path.includes('journal'))).toEqual([journal('b'), journal('b')]);
  });

  test('is not believed when runs came or went since', async () => {
    await create(store, 'a');
    await create(store, 'b');
    await store.close();
    await disk.rename(`${root}/runs/${folderName('a')}`, `${root}/away`);
    await open();
    expect((await store.runs({ order: 'oldest', limit: 9 })).map(({ runId }) => runId)).toEqual(['b']);
    await store.close();
    await disk.rename(`${root}/away`, `${root}/runs/${folderName('a')}`);
    await open();
    expect((await store.runs({ order: 'oldest', limit: 9 })).length).toBe(2);
  });

  test('is not believed when the run says something else', async () => {
    await create(store, 'a');
    const old = await disk.readAll(journal('a'));
    await commit(store, externalWriteOf('a', { expect: 1 }));
    await store.close();
    disk.put(journal('a'), old);
    await open();
    expect(await seqsOf(store, 'a')).toEqual([1]);
    expect(env.warnings).toEqual([expect.stringContaining('Run a was changed while the store was closed')]);
    await commit(store, externalWriteOf('a', { expect: 1, entries: notes(2) }));
    expect(await seqsOf(store, 'a')).toEqual([1, 2, 3]);
  });

  test('that speaks of a run without a journal makes that one corrupt', async () => {
    await create(store, 'a');
    await store.close();
    disk.put(journal('a'), Buffer.alloc(0));
    await open();
    await expect(seqsOf(store, 'a')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT', details: { runId: 'a' } });
  });

  test('is only said when it cannot be written', async () => {
    await store.close();
    const rename = async (from: string, to: string): Promise<void> => {
      if (to.endsWith('index.jsonl')) throw systemError('ENOSPC', to);
      return disk.rename(from, to);
    };
    await open(changedFiles(disk, { rename }));
    await create(store, 'a');
    await store.close();
    expect(env.warnings).toEqual([expect.stringContaining('could not be written')]);
    await open();
    expect(await seqsOf(store, 'a')).toEqual([1]);
  });
});

describe('a corrupt run', () => {
  beforeEach(async () => {
    for (const runId of ['a', 'b', 'c']) await create(store, runId, { wakeAt: 1 });
    await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 9_000 });
    disk.put(journal('b'), Buffer.from('{"what":1}\n'));
  });

  test('is refused by itself, and whatever needs all runs is', async () => {
    await crash();
    expect(env.warnings.length).toBe(1);
    const isCorrupt = {
      code: 'HOLDFAST_CORRUPT',
      details: { file: `runs/${folderName('b')}/journal-000000001.jsonl` },
    };
    await expect(store.header('b')).rejects.toMatchObject(isCorrupt);
    await expect(seqsOf(store, 'b')).rejects.toMatchObject(isCorrupt);
    await expect(store.runs({ order: 'oldest', limit: 9 })).rejects.toMatchObject(isCorrupt);
    await expect(store.trim({ runId: 'a', drop: [] })).rejects.toMatchObject(isCorrupt);
    // It may be a fork of it.
    expect(await store.trim({ runId: 'a', remove: true })).toEqual({ ok: false, why: 'forks' });
    const { claimed, corrupt } = await store.claim({ ...lease, type: 'one', runId: 'b', ifDue: false });
    expect({ claimed, corrupt }).toMatchObject({ claimed: [], corrupt: [isCorrupt] });
  });

  test('does not keep the others from being written, claimed and read', async () => {
    await crash();
    const commits = ['a', 'b', 'c'].map((runId) => store.commit(externalWriteOf(runId, { expect: 1 })));
    const settled = await Promise.allSettled(commits);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({
      reason: { code: 'HOLDFAST_CORRUPT' },
    });
    const { claimed } = await store.claim({ ...lease, ...due, limit: 9 });
    expect(claimed.map(({ header }) => header.runId)).toEqual(['a', 'c']);
    expect(await seqsOf(store, 'c')).toEqual([1, 2]);
    await reopen();
    await expect(store.header('b')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    expect(await store.header('a')).toBeDefined();
  });

  test('is left out by the claim that finds it, and makes room for another', async () => {
    await store.close();
    await open();
    const { claimed, corrupt } = await store.claim({ ...lease, ...due, limit: 2 });
    expect(claimed.map(({ header }) => header.runId)).toEqual(['a', 'c']);
    expect(corrupt).toMatchObject([{ code: 'HOLDFAST_CORRUPT', message: expect.stringContaining(folderName('b')) }]);
    await expect(store.runs({ order: 'oldest', limit: 9 })).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
  });
});

describe('a group', () => {
  test('takes a fork of a run that it creates, when that one comes first', async () => {
    const fork = creationOf('b-fork', { forkedAt: { runId: 'a', seq: 1 } });
    const early = creationOf('0-fork', { forkedAt: { runId: 'a', seq: 1 } });
    const batches = [early, creationOf('a'), fork].map((each, at) => batchOf(each, { token: `t${at}` }));
    expect((await driver.commit(batches)).map(({ ok }) => ok)).toEqual([false, true, true]);
  });

  test('of which some are written and some are not is looked up', async () => {
    for (const runId of ['a', 'b', 'c']) await create(store, runId);
    let isFull = false;
    const full = changedFiles(disk, {
      open: async (path, how) => {
        const handle = await disk.open(path, how);
        return withWrite(handle, (bytes, position) => {
          if (isFull && path === journal('b')) throw systemError('ENOSPC', path);
          handle.atOnce?.write(bytes, position);
        });
      },
    });
    await store.close();
    await open(full);
    isFull = true;
    const commits = ['a', 'b', 'c'].map((runId) => store.commit(externalWriteOf(runId, { expect: 1 })));
    const settled = await Promise.allSettled(commits);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: { code: 'HOLDFAST_STORE_FAILED', details: { poisoned: false } } });
    await expect(
      driver.commit([
        batchOf(externalWriteOf('a', { expect: 2 }), { token: 'x' }),
        batchOf(creationOf('a2', { forkedAt: { runId: 'a', seq: 3 } }), { token: 'z' }),
        batchOf(externalWriteOf('b', { expect: 1, epoch: 1 }), { token: 'y' }),
      ]),
    ).rejects.toMatchObject({ details: { effect: 'unknown', poisoned: false } });
    isFull = false;
    await commit(store, externalWriteOf('b', { expect: 1 }));
    expect(await seqsOf(store, 'a')).toEqual([1, 2, 3]);
    expect(await seqsOf(store, 'b')).toEqual([1, 2]);
  });

  test('larger than the number of open files is written all the same', async () => {
    const runs = Array.from({ length: 600 }, (_, at) => `run-${at}`);
    await Promise.all(runs.map((runId) => create(store, runId)));
    await Promise.all(runs.map((runId) => commit(store, externalWriteOf(runId, { expect: 1 }))));
    await crash();
    expect((await store.runs({ order: 'oldest', limit: 1_000 })).every(({ head }) => head === 2)).toBe(true);
  });
});

describe('claims', () => {
  test('return what could be leased, and fail only when nothing could', async () => {
    await store.close();
    let failing: readonly string[] = [];
    const fails = changedFiles(disk, {
      open: async (path, how) => {
        if (failing.includes(path)) throw systemError('EMFILE', path);
        return disk.open(path, how);
      },
    });
    await open(fails);
    for (const runId of ['a', 'b']) await create(store, runId, { wakeAt: 1, worker: 'w' });
    await store.close();
    await open(fails);
    failing = [journal('b')];
    const request = { ...lease, ...due, worker: 'w2', limit: 9 } as const;
    expect((await store.claim(request)).claimed.map(({ header }) => header.runId)).toEqual(['a']);
    await expect(store.claim(request)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
    await expect(store.claim({ type: 'release', worker: 'w' })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
    });
    failing = [];
    await store.claim({ type: 'release', worker: 'w' });
    await store.claim({ type: 'release', worker: 'w2' });
    expect(await store.header('a')).toMatchObject({ worker: null, fence: 2, claims: 1 });
    expect(await store.header('b')).toMatchObject({ worker: null, fence: 1, claims: 0 });
  });
});

describe('reads', () => {
  test('beside a writer that trims under them find what was there, or what is', async () => {
    await create(store, 'a', { worker: 'w', entries: notes(3), snapshot: snapshotOf(3) });
    let head = 3;
    const reads: Promise<unknown>[] = [];
    for (let round = 0; round < 30; round += 1) {
      reads.push(store.records({ runId: 'a', order: 'oldest', limit: 100 }));
      reads.push(store.ids({ runId: 'a', id: `id-${round}`, limit: 1 }));
      const snapshots = store.snapshots({ runId: 'a', limit: 9, bodies: true });
      reads.push(snapshots.then((found) => expect(found.every(({ ok }) => ok)).toBe(true)));
      const entries = [...notes(3), note('x', `id-${round}`)];
      await commit(store, ownerOf('a', { expect: head, fence: 1, entries, snapshot: snapshotOf(head + 4) }));
      head += 4;
      await store.trim({ runId: 'a', floor: head });
    }
    await Promise.all(reads);
    expect(await seqsOf(store, 'a')).toEqual([]);
  });

  test('pass on what the disk says', async () => {
    await create(store, 'a');
    let isFailing = false;
    await store.close();
    await open(
      changedFiles(disk, {
        readAll: async (path) => {
          if (isFailing) throw systemError('EIO', path);
          return disk.readAll(path);
        },
      }),
    );
    expect(await seqsOf(store, 'a')).toEqual([1]);
    isFailing = true;
    await expect(seqsOf(store, 'a')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
    isFailing = false;
    expect(await seqsOf(store, 'a')).toEqual([1]);
  });
});

describe('a run that is removed', () => {
  test('is gone also when its folder cannot be cleared away, until the next opening', async () => {
    await create(store, 'a');
    await store.close();
    let isFailing = true;
    const files = changedFiles(disk, {
      removeDirectory: async (path) => {
        if (isFailing && path.includes('removed')) throw systemError('EACCES', path);
        return disk.removeDirectory(path);
      },
    });
    await open(files);
    expect(await store.trim({ runId: 'a', remove: true })).toMatchObject({ ok: true });
    expect(await store.header('a')).toBe(undefined);
    expect((await disk.list(`${root}/runs`)).length).toBe(1);
    await store.close();
    isFailing = false;
    await open(files);
    expect(await disk.list(`${root}/runs`)).toEqual([]);
    await create(store, 'a');
  });
});
