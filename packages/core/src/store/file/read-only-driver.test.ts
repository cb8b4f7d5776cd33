import { beforeEach, describe, expect, test } from 'vitest';
import { batchOf } from '../../testing/contract/commit/seal-batch.ts';
import { commit, create, creationOf, note, notes, ownerOf, snapshotOf } from '../../testing/contract/given.ts';
import { systemError } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { changedFiles } from '../../testing/file/changed-files.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

let disk: SimulatedDisk;
let writer: CheckedStore;
let reader: CheckedStore;

beforeEach(async () => {
  disk = new SimulatedDisk();
  const env = envOf(disk);
  writer = new CheckedStore(
    await openFileDriver({ dir: root, env, machine: virtualMachine(), segmentBytes: 600 }),
    env,
  );
  reader = new CheckedStore(await openFileDriver({ dir: root, env, readOnly: true }), env);
});

async function readAll(): Promise<boolean> {
  await reader.records({ runId: 'a', order: 'oldest', limit: 100 });
  const snapshots = await reader.snapshots({ runId: 'a', limit: 1, bodies: true });
  return snapshots.every(({ ok }) => ok);
}

describe('a reader', () => {
  test('sees what was committed, trimmed and removed since it was opened', async () => {
    expect(await reader.runs({ order: 'oldest', limit: 10 })).toEqual([]);
    await create(writer, 'a', { entries: [note(1, 'one'), note(2)], snapshot: snapshotOf(2) });
    await create(writer, 'b');
    for (const store of [reader, writer]) {
      expect((await store.runs({ order: 'oldest', limit: 10 })).map(({ runId }) => runId)).toEqual(['a', 'b']);
      expect((await store.records({ runId: 'a', order: 'newest', limit: 9 })).map(({ seq }) => seq)).toEqual([2, 1]);
      expect((await store.ids({ runId: 'a', id: 'one', limit: 9 })).length).toBe(1);
      expect((await store.ids({ runId: 'a', id: 'two', limit: 9 })).length).toBe(0);
      expect(await store.snapshots({ runId: 'a', limit: 1, bodies: true })).toMatchObject([{ ok: true, covers: 2 }]);
      expect(await store.load({ runId: 'a', limit: 9 })).toMatchObject({
        header: { runId: 'a' },
        snapshot: { covers: 2 },
      });
      expect(await store.load({ runId: 'nobody', limit: 9 })).toBe(undefined);
      expect(await store.header('nobody')).toBe(undefined);
      expect(await store.records({ runId: 'nobody', order: 'newest', limit: 9 })).toEqual([]);
      expect(await store.snapshots({ runId: 'nobody', limit: 9, bodies: false })).toEqual([]);
    }
    await writer.trim({ runId: 'a', floor: 2 });
    await writer.trim({ runId: 'b', remove: true });
    expect(await reader.header('b')).toBe(undefined);
    expect(await reader.header('a')).toMatchObject({ floor: 2 });
    expect(await reader.records({ runId: 'a', order: 'oldest', limit: 9 })).toEqual([]);
  });

  test('writes nothing, and says so', async () => {
    const before = disk.contents();
    await expect(create(reader, 'x')).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      message: expect.stringContaining('is open for reading only'),
      cause: { code: 'HOLDFAST_READ_ONLY' },
    });
    await expect(reader.trim({ runId: 'x', remove: true })).rejects.toMatchObject({ code: 'HOLDFAST_READ_ONLY' });
    await expect(reader.claim({ type: 'heartbeat', worker: 'w', leaseMs: 1 })).rejects.toMatchObject({
      code: 'HOLDFAST_READ_ONLY',
    });
    const driver = await openFileDriver({ dir: root, env: envOf(disk), readOnly: true });
    const batch = batchOf(creationOf('x'), { token: 't' });
    await expect(driver.resolveDoubt(batch)).rejects.toMatchObject({ code: 'HOLDFAST_READ_ONLY' });
    reader.watch(() => {})();
    await reader.close();
    expect(disk.contents()).toEqual(before);
  });

  test('reads beside a writer that trims under it', async () => {
    await create(writer, 'a', { worker: 'w', entries: notes(3) });
    let head = 3;
    const reads: Promise<boolean>[] = [];
    for (let round = 0; round < 40; round += 1) {
      reads.push(readAll());
      await commit(writer, ownerOf('a', { expect: head, fence: 1, entries: notes(3), snapshot: snapshotOf(head + 1) }));
      head += 3;
      await writer.trim({ runId: 'a', floor: head - 2 });
    }
    expect(new Set(await Promise.all(reads))).toEqual(new Set([true]));
  });

  test('passes on what the disk says', async () => {
    await create(writer, 'a');
    const env = {
      ...envOf(disk),
      files: changedFiles(disk, { list: (path) => Promise.reject(systemError('EIO', path)) }),
    };
    const failing = new CheckedStore(await openFileDriver({ dir: root, env, readOnly: true }), env);
    await expect(failing.header('a')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED', cause: { code: 'EIO' } });
  });

  test('says what is corrupt, and what is not a store', async () => {
    await create(writer, 'a', { snapshot: snapshotOf(1) });
    const path = `${root}/runs/${folderName('a')}/snapshot-1-1-1.json`;
    disk.put(path, Buffer.from('{}'));
    expect(await reader.snapshots({ runId: 'a', limit: 1, bodies: true })).toMatchObject([{ ok: false }]);
    disk.put(path, Buffer.from(',\n'));
    expect(await reader.snapshots({ runId: 'a', limit: 1, bodies: false })).toMatchObject([{ ok: false }]);
    disk.put(`${root}/runs/${folderName('a')}/journal-000000001.jsonl`, Buffer.from('{}\n'));
    await expect(reader.header('a')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    await create(writer, 'b');
    const corrupt: unknown[] = [];
    const query = { order: 'oldest', limit: 9 } as const;
    const headers = await reader.runs(query, { onCorrupt: (error) => void corrupt.push(error) });
    expect(headers.map(({ runId }) => runId)).toEqual(['b']);
    expect(corrupt).toMatchObject([{ code: 'HOLDFAST_CORRUPT' }]);
    await expect(openFileDriver({ dir: '/nowhere', env: envOf(disk), readOnly: true })).rejects.toMatchObject({
      code: 'HOLDFAST_NOT_FOUND',
    });
    await disk.makeDirectory('/empty');
    await expect(openFileDriver({ dir: '/empty', env: envOf(disk), readOnly: true })).rejects.toMatchObject({
      code: 'HOLDFAST_NOT_FOUND',
    });
  });
});
