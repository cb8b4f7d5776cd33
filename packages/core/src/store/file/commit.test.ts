import { beforeEach, describe, expect, test } from 'vitest';
import { deferred } from '../../async/deferred.ts';
import { batchOf } from '../../testing/contract/commit/seal-batch.ts';
import {
  type CommitParts,
  create,
  creationOf,
  externalWriteOf,
  note,
  notes,
  seqsOf,
  snapshotOf,
} from '../../testing/contract/given.ts';
import type { DiskFault, DiskOperation } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { changedFiles } from '../../testing/file/changed-files.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import type { Batch, BatchResult } from '../contract/commit.ts';
import type { Hint, StoreDriver } from '../contract/driver.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

const done: readonly BatchResult[] = [{ ok: true }];
const none = { effect: 'none', poisoned: false };
const doubt = { effect: 'unknown', poisoned: true };

let disk: SimulatedDisk;
let driver: StoreDriver;
let store: CheckedStore;
/** Of the next calls; asked for each until it says one. */
let fault: (operation: DiskOperation) => DiskFault | undefined;
/** Truncating waits for it, and so does every undo. */
let beforeTruncate: Promise<void>;
let tokens = 0;

beforeEach(async () => {
  fault = () => undefined;
  beforeTruncate = Promise.resolve();
  disk = new SimulatedDisk({ faults: (operation) => fault(operation) });
  await open();
  await create(store, 'a');
});

async function open(segmentBytes?: number): Promise<void> {
  const files = changedFiles(disk, {
    open: async (path, how) => {
      const handle = await disk.open(path, how);
      const truncate = async (length: number): Promise<void> => {
        await beforeTruncate;
        await handle.truncate(length);
      };
      return { ...handle, truncate };
    },
  });
  const env = { ...envOf(disk), files };
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

function commitExternal(runId: string, parts: CommitParts): Promise<readonly BatchResult[]> {
  return driver.commit([externalWrite(runId, parts)]);
}

function creation(): Batch {
  return batchOf(creationOf('new'), { token: 'new' });
}

/** Fails the first call of a kind that touches such a file. */
function failOnce(kind: DiskOperation['kind'], how: DiskFault, file = 'journal'): void {
  fault = (operation) => {
    if (operation.kind !== kind || !operation.path.includes(file)) return undefined;
    fault = () => undefined;
    return how;
  };
}

/** Fails every call that needs space. */
function fillDisk(): void {
  fault = ({ kind }) => (kind === 'write' ? { code: 'ENOSPC' } : undefined);
}

function hints(): readonly (Hint | undefined)[] {
  const told: (Hint | undefined)[] = [];
  driver.watch((hint) => told.push(hint));
  return told;
}

describe('a commit', () => {
  test('is durable, seen and hinted at with its head when it resolves', async () => {
    const told = hints();
    expect(await commitExternal('a', { expect: 1, entries: [note('second', 'chosen'), note('third')] })).toEqual(done);
    expect(disk.isDirty).toBe(false);
    expect(told).toEqual([{ runId: 'a', head: 3 }]);
    expect((await store.ids({ runId: 'a', id: 'chosen', limit: 1 })).length).toBe(1);
    expect(await commitExternal('a', { expect: 3, entries: [note('fourth', 'later')] })).toEqual(done);
    expect((await store.ids({ runId: 'a', id: 'later', limit: 1 })).length).toBe(1);
    await reopen();
    expect(await seqsOf(store, 'a')).toEqual([1, 2, 3, 4]);
  });

  test('is refused with what was found, and hinted at to nobody', async () => {
    const told = hints();
    expect(await commitExternal('a', { expect: 7 })).toMatchObject([
      { ok: false, why: 'head', found: { runId: 'a', head: 1 }, epoch: 0 },
    ]);
    expect(told).toEqual([]);
  });

  test('does not wait for the trimming of another run', async () => {
    await create(store, 'b', { snapshot: snapshotOf(1), entries: notes(2) });
    const gate = deferred();
    fault = ({ path }) => {
      if (path.includes(folderName('b'))) gate.resolve();
      return undefined;
    };
    const trimming = driver.trim({ runId: 'b', floor: 1 });
    await gate.promise;
    expect(await commitExternal('a', { expect: 1 })).toEqual(done);
    expect(await trimming).toMatchObject({ ok: true, records: 1, more: false });
  });

  test('begins a new segment where the last one is full', async () => {
    await reopen(1);
    expect(await commitExternal('a', { expect: 1 })).toEqual(done);
    expect((await disk.list(`${root}/runs/${folderName('a')}`)).length).toBe(2);
  });
});

describe('a commit that fails', () => {
  test('is undone when the disk is full, and can be repeated', async () => {
    const told = hints();
    failOnce('write', { code: 'ENOSPC', written: 30 });
    await expect(commitExternal('a', { expect: 1 })).rejects.toMatchObject({ details: none });
    expect(told).toEqual([]);
    expect(await commitExternal('a', { expect: 1 })).toEqual(done);
    await reopen();
    expect(await seqsOf(store, 'a')).toEqual([1, 2]);
  });

  test.each([
    { kind: 'write', how: { code: 'EIO', written: 30 } },
    { kind: 'sync', how: { code: 'ENOSPC' } },
    { kind: 'sync', how: { code: 'EIO' } },
  ] as const)('at its $kind by $how.code is in doubt, and poisons the driver', async ({ kind, how }) => {
    const told = hints();
    failOnce(kind, how);
    await expect(commitExternal('a', { expect: 1 })).rejects.toMatchObject({ details: doubt });
    expect(told).toEqual([]);
    const poisoned = { details: { effect: 'none', poisoned: true } };
    await expect(commitExternal('a', { expect: 1 })).rejects.toMatchObject(poisoned);
    await expect(driver.resolveDoubt(externalWrite('a', { expect: 1 }))).rejects.toMatchObject(poisoned);
    await reopen();
    expect(await seqsOf(store, 'a')).toEqual([1]);
  });

  test('is in doubt when it cannot be undone', async () => {
    let isFailing = false;
    fault = ({ kind, path }) => {
      isFailing ||= kind === 'write' && path.includes('journal');
      return isFailing ? { code: 'ENOSPC' } : undefined;
    };
    await expect(commitExternal('a', { expect: 1 })).rejects.toMatchObject({ details: doubt });
  });

  test('is undone before the next one, before its doubt is resolved, and before the store is closed', async () => {
    const gate = deferred();
    const order: string[] = [];
    beforeTruncate = gate.promise.then(() => void order.push('undone'));
    failOnce('write', { code: 'ENOSPC', written: 30 });
    const batch = externalWrite('a', { expect: 1 });
    const failing = driver.commit([batch]).catch(() => order.push('failed'));
    const settling = driver.resolveDoubt(batch).then(({ outcome }) => order.push(outcome));
    const next = commitExternal('a', { expect: 1, epoch: 1 }).then(() => order.push('committed'));
    const closing = driver.close().then(() => order.push('closed'));
    gate.resolve();
    await Promise.all([failing, settling, next, closing]);
    expect(order).toEqual(['undone', 'failed', 'absent', 'committed', 'closed']);
    await open();
    expect(await seqsOf(store, 'a')).toEqual([1, 2]);
  });
});

describe('the doubt about a batch', () => {
  test('is resolved on a full disk, too', async () => {
    fillDisk();
    const late = externalWrite('a', { expect: 1 });
    expect(await driver.resolveDoubt(late)).toMatchObject({ outcome: 'absent', found: { runId: 'a' }, epoch: 1 });
    expect(await driver.resolveDoubt(creation())).toEqual({ outcome: 'absent', found: undefined, epoch: 1 });
    fault = () => undefined;
    for (const batch of [late, creation()]) {
      expect(await driver.commit([batch])).toMatchObject([{ ok: false, why: 'epoch', epoch: 1 }]);
      expect(await driver.commit([{ ...batch, epoch: 1 }])).toEqual(done);
    }
    expect(await store.header('new')).toMatchObject({ epoch: 1 });
  });

  test.each([
    { what: 'a write', batch: () => externalWrite('a', { expect: 1 }), file: 'journal' },
    { what: 'a creation', batch: creation, file: 'voids' },
  ])('about $what stays when the sync fails, until the store is opened again', async ({ batch, file }) => {
    const late = batch();
    failOnce('sync', { code: 'EIO' }, file);
    await expect(driver.resolveDoubt(late)).rejects.toMatchObject({ details: { poisoned: true } });
    await reopen();
    expect(await driver.resolveDoubt(late)).toMatchObject({ outcome: 'absent' });
    expect(await driver.commit([late])).toMatchObject([{ ok: false, why: 'epoch' }]);
  });

  test('is resolved by a token that a rewritten segment still has', async () => {
    const batch = externalWrite('a', { expect: 1, entries: notes(3) });
    expect(await driver.commit([batch])).toEqual(done);
    await reopen(1);
    expect(await commitExternal('a', { expect: 4 })).toEqual(done);
    await store.trim({ runId: 'a', floor: 1, snapshot: { head: null, body: null } });
    expect(await driver.resolveDoubt(batch)).toEqual({ outcome: 'committed' });
  });

  test('about a creation is kept for a day, in a file that says so if it is corrupt', async () => {
    await driver.resolveDoubt(creation());
    await reopen();
    expect(await driver.commit([creation()])).toMatchObject([{ ok: false, why: 'epoch', epoch: 1 }]);
    await driver.close();
    disk.put(`${root}/voids.json`, Buffer.from('x'));
    await expect(open()).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { file: 'voids.json' },
      message: expect.stringContaining('Remove it'),
    });
    await disk.remove(`${root}/voids.json`);
    await open();
    expect(await driver.commit([creation()])).toEqual(done);
  });
});
