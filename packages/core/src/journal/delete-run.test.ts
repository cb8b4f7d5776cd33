import { expect, test } from 'vitest';
import { nodeEnv } from '../env/node-env.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { NewRun } from '../store/contract.ts';
import { memoryStore } from '../store/memory/memory-store.ts';
import { openStore } from '../store/store.ts';
import { create, idsOf, notes } from '../testing/contract/given.ts';
import { deleteRun, removeForgotten } from './delete-run.ts';

/** A deleted base, a deleted fork of it, and a fork of that. */
async function lineage(): Promise<CheckedStore> {
  const store = await openStore(memoryStore(), nodeEnv);
  await create(store, 'base', { entries: notes(2) });
  await create(store, 'middle', { forkedAt: { runId: 'base', seq: 2 }, entries: notes(2) });
  await create(store, 'top', { forkedAt: { runId: 'middle', seq: 4 } });
  for (const runId of ['base', 'middle']) expect(await deleteRun(store, runId)).toBe(true);
  expect(await idsOf(store, { hidden: true })).toEqual(['base', 'middle']);
  return store;
}

test('the rest of deleted runs goes with the last fork', async () => {
  const store = await lineage();
  expect(await deleteRun(store, 'top')).toBe(true);
  expect(await idsOf(store, { hidden: true })).toEqual([]);
});

test('what a process that died left of deleted runs goes when the fork is deleted again', async () => {
  const store = await lineage();
  // As far as it came.
  await store.trim({ runId: 'top', remove: true });
  expect(await deleteRun(store, 'top')).toBe(false);
  expect(await idsOf(store, { hidden: true })).toEqual([]);
});

test('what a fork, or half a fork, stands on is not forgotten, and a half is somebody else’s to complete', async () => {
  const store = await lineage();
  await removeForgotten(store);
  expect(await idsOf(store, { hidden: true })).toEqual(['base', 'middle']);
  const of: NewRun = {
    kind: 'graph',
    graph: 'g',
    version: 1,
    forkedAt: { runId: 'middle', seq: 3 },
    parentId: null,
    createdAt: 1,
    worker: null,
  };
  const header = { status: 'pending', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} } as const;
  const writer = { by: 'copier', of, floor: 0, end: null, at: 1 } as const;
  await store.commit({ runId: 'half', writer, expect: 3, entries: [], header });
  await store.trim({ runId: 'top', remove: true });
  await removeForgotten(store);
  expect((await idsOf(store, { hidden: true })).toSorted()).toEqual(['base', 'half', 'middle']);
  expect(await deleteRun(store, 'half')).toBe(true);
  expect(await idsOf(store, { hidden: true })).toEqual([]);
  expect(await deleteRun(store, 'half')).toBe(false);
});
