import { beforeEach, describe, expect, test } from 'vitest';
import type { Awaitable } from '../../async/awaitable.ts';
import { deferred } from '../../async/deferred.ts';
import {
  type CommitParts,
  create,
  creationOf,
  externalWriteOf,
  note,
  seqsOf,
  snapshotOf,
} from '../../testing/contract/given.ts';
import { batchOf } from '../../testing/contract/seal-batch.ts';
import type { DiskFault, DiskOperation } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { changedFiles } from '../../testing/file/changed-files.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import type { Batch, BatchResult } from '../contract/commit.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { folderName } from './names.ts';
import { openFileDriver } from './open-driver.ts';

const done: readonly BatchResult[] = [{ ok: true }];

let disk: SimulatedDisk;
let driver: StoreDriver;
let store: CheckedStore;
/** How long the next syncs take. */
let syncMs: number;
/** Of the next calls; asked for each until it says one. */
let fault: (operation: DiskOperation) => DiskFault | undefined;
/** Truncating waits for it: so does whoever undoes something. */
let beforeTruncate: Promise<void>;
let tokens = 0;

beforeEach(async () => {
  syncMs = 0;
  fault = () => undefined;
  beforeTruncate = Promise.resolve();
  disk = new SimulatedDisk({ faults: (operation) => fault(operation) });
  await open();
  await create(store, 'a');
});

async function open(segmentBytes?: number): Promise<void> {
  let now = 0;
  const files = changedFiles(disk, {
    open: async (path, how) => {
      const handle = await disk.open(path, how);
      const truncate = async (length: number): Promise<void> => {
        await beforeTruncate;
        await handle.truncate(length);
      };
      const sync = (): void => {
        now += syncMs;
        handle.atOnce?.sync();
      };
      return { ...handle, truncate, atOnce: handle.atOnce && { ...handle.atOnce, sync } };
    },
  });
  const env = { ...envOf(disk), files, monotonicMs: () => now };
  driver = await openFileDriver({ dir: root, env, machine: virtualMachine(), segmentBytes });
  store = new CheckedStore(driver, env);
}

async function reopen(segmentBytes?: number): Promise<void> {
  await driver.close();
  await open(segmentBytes);
}

function externalWrite(runId: string, parts: CommitParts): Batch {
  tokens += 1;
  return batchOf(externalWriteOf(runId, parts), { token: `t${tokens}` });
}

function commitExternal(runId: string, parts: CommitParts): Awaitable<readonly BatchResult[]> {
  return driver.commit([externalWrite(runId, parts)]);
}

/** Fails the first call of a kind that touches a journal. */
function failOnce(kind: DiskOperation['kind'], how: DiskFault): void {
  fault = (operation) => {
    if (operation.kind !== kind || !operation.path.includes('journal')) return undefined;
    fault = () => undefined;
    return how;
  };
}

describe('a commit that comes alone', () => {
  test('is durable, seen and told without a promise', async () => {
    const told: (string | undefined)[] = [];
    driver.watch((runId) => told.push(runId));
    expect(commitExternal('a', { expect: 1, entries: [note('second', 'chosen')] })).toEqual(done);
    expect(disk.isDirty).toBe(false);
    expect(told).toEqual(['a']);
    expect(await seqsOf(store, 'a')).toEqual([1, 2]);
    expect((await store.records({ runId: 'a', id: 'chosen', order: 'oldest', limit: 1 })).length).toBe(1);
    expect(commitExternal('a', { expect: 2, entries: [note('third', 'later')] })).toEqual(done);
    expect((await store.records({ runId: 'a', id: 'later', order: 'oldest', limit: 1 })).length).toBe(1);
    await reopen();
    expect(await seqsOf(store, 'a')).toEqual([1, 2, 3]);
  });

  test('is refused without a promise', () => {
    const refused = commitExternal('a', { expect: 7 });
    expect(refused).toMatchObject([{ ok: false, why: 'head', found: { runId: 'a', head: 1 } }]);
  });

  test('may come from whoever is told of the one before', () => {
    const results: unknown[] = [];
    const stop = driver.watch(() => {
      stop();
      results.push(commitExternal('a', { expect: 2 }));
    });
    results.push(commitExternal('a', { expect: 1 }));
    expect(results).toEqual([done, done]);
  });

  test('goes beside the trimming of another run', async () => {
    await create(store, 'b', { snapshot: snapshotOf(1) });
    const trimming = driver.trim({ runId: 'b', floor: 1 });
    expect(commitExternal('a', { expect: 1 })).toEqual(done);
    expect(await trimming).toMatchObject({ ok: true });
  });
});

describe('a commit is waited for', () => {
  test('that comes with others', async () => {
    await create(store, 'b');
    const together = driver.commit([externalWrite('a', { expect: 1 }), externalWrite('b', { expect: 1 })]);
    expect(together).toBeInstanceOf(Promise);
    expect(await together).toEqual([...done, ...done]);
  });

  test('that creates its run', async () => {
    const creating = driver.commit([batchOf(creationOf('b'), { token: 'b' })]);
    expect(creating).toBeInstanceOf(Promise);
    expect(await creating).toEqual(done);
  });

  test('whose run has not been read, or whose file is not open', async () => {
    await reopen();
    const first = commitExternal('a', { expect: 1 });
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toEqual(done);
    await reopen();
    await seqsOf(store, 'a');
    const second = commitExternal('a', { expect: 2 });
    expect(second).toBeInstanceOf(Promise);
    expect(await second).toEqual(done);
    expect(commitExternal('a', { expect: 3 })).toEqual(done);
  });

  test('that has a snapshot', async () => {
    const snapshot = snapshotOf(2);
    const committing = commitExternal('a', { expect: 1, snapshot });
    expect(committing).toBeInstanceOf(Promise);
    expect(await committing).toEqual(done);
    expect((await store.snapshots({ runId: 'a', limit: 9, bodies: false })).length).toBe(1);
  });

  test('that is long', async () => {
    const committing = commitExternal('a', { expect: 1, entries: [note('x'.repeat(70_000))] });
    expect(committing).toBeInstanceOf(Promise);
    expect(await committing).toEqual(done);
  });

  test('that begins a segment', async () => {
    await reopen(1);
    const committing = commitExternal('a', { expect: 1 });
    expect(committing).toBeInstanceOf(Promise);
    expect(await committing).toEqual(done);
    expect((await disk.list(`${root}/runs/${folderName('a')}`)).length).toBe(2);
  });

  test('while the run is trimmed, and while runs are claimed', async () => {
    const trimming = driver.trim({ runId: 'a', hide: { keepTo: 1 }, dryRun: true });
    const behind = commitExternal('a', { expect: 1 });
    expect(behind).toBeInstanceOf(Promise);
    expect(await trimming).toMatchObject({ ok: true });
    expect(await behind).toEqual(done);
    const claiming = driver.claim({ type: 'heartbeat', worker: 'w', leaseMs: 1_000 });
    const next = commitExternal('a', { expect: 2 });
    expect(next).toBeInstanceOf(Promise);
    await claiming;
    expect(await next).toEqual(done);
  });

  test('in a store with a corrupt run', async () => {
    await create(store, 'b');
    await driver.close();
    disk.put(`${root}/runs/${folderName('b')}/journal-000000001.jsonl`, Buffer.from('{"what":1}\n'));
    await open();
    await expect(seqsOf(store, 'b')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    expect(await commitExternal('a', { expect: 1 })).toEqual(done);
    const next = commitExternal('a', { expect: 2 });
    expect(next).toBeInstanceOf(Promise);
    expect(await next).toEqual(done);
  });

  test('on a disk that was slow, for some time', async () => {
    syncMs = 20;
    expect(commitExternal('a', { expect: 1 })).toEqual(done);
    for (let head = 2; head < 18; head += 1) {
      const committing = commitExternal('a', { expect: head });
      expect(committing).toBeInstanceOf(Promise);
      expect(await committing).toEqual(done);
    }
    expect(commitExternal('a', { expect: 18 })).toEqual(done);
  });
});

describe('a lone commit that fails', () => {
  const failures = [
    { kind: 'write', how: { code: 'EIO', written: 30 } },
    { kind: 'sync', how: { code: 'ENOSPC' } },
    { kind: 'sync', how: { code: 'EIO' } },
  ] as const;

  test('is undone when the disk is full, and can be made again', async () => {
    const told: unknown[] = [];
    driver.watch((runId) => told.push(runId));
    failOnce('write', { code: 'ENOSPC', written: 30 });
    const none = { effect: 'none', poisoned: false };
    await expect(commitExternal('a', { expect: 1 })).rejects.toMatchObject({ details: none });
    expect(told).toEqual([]);
    expect(commitExternal('a', { expect: 1 })).toEqual(done);
    await reopen();
    expect(await seqsOf(store, 'a')).toEqual([1, 2]);
  });

  test.each(failures)('at its $kind by $how.code is in doubt, and poisons the store', async ({ kind, how }) => {
    const told: unknown[] = [];
    driver.watch((runId) => told.push(runId));
    failOnce(kind, how);
    const doubt = { effect: 'unknown', poisoned: true };
    await expect(commitExternal('a', { expect: 1 })).rejects.toMatchObject({ details: doubt });
    expect(told).toEqual([]);
    const poisoned = { effect: 'none', poisoned: true };
    await expect(commitExternal('a', { expect: 1 })).rejects.toMatchObject({ details: poisoned });
    await reopen();
    expect(await seqsOf(store, 'a')).toEqual([1]);
  });

  test('is in doubt when it cannot be undone', async () => {
    let isFailing = false;
    fault = ({ kind, path }) => {
      isFailing ||= kind === 'write' && path.includes('journal');
      return isFailing ? { code: 'ENOSPC' } : undefined;
    };
    await expect(commitExternal('a', { expect: 1 })).rejects.toMatchObject({
      details: { effect: 'unknown', poisoned: true },
    });
  });

  test('is undone before the next one, and before the store is closed', async () => {
    const held = deferred();
    const order: string[] = [];
    beforeTruncate = held.promise.then(() => void order.push('undone'));
    failOnce('write', { code: 'ENOSPC', written: 30 });
    const failing = Promise.resolve(commitExternal('a', { expect: 1 })).catch(() => order.push('failed'));
    const next = Promise.resolve(commitExternal('a', { expect: 1 })).then(() => order.push('committed'));
    const closing = driver.close().then(() => order.push('closed'));
    held.resolve();
    await Promise.all([failing, next, closing]);
    expect(order).toEqual(['undone', 'failed', 'committed', 'closed']);
    await open();
    expect(await seqsOf(store, 'a')).toEqual([1, 2]);
  });
});
