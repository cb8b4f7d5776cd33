import { expect, test, vi } from 'vitest';
import type { TrimPlan } from '../store/contract/retention.ts';
import type { NewRun } from '../store/contract/run.ts';
import type { MemoryRun } from '../store/memory/memory-run.ts';
import { create, idsOf, notes } from '../testing/contract/given.ts';
import { type MemoryParts, memoryParts } from '../testing/memory-parts.ts';
import { deleteRun, removeUnusedRuns } from './delete-run.ts';

/** A deleted base, a deleted fork of it, and a fork of that. */
async function lineage(): Promise<MemoryParts> {
  const parts = memoryParts();
  const { store } = parts;
  await create(store, 'base', { entries: notes(2) });
  await create(store, 'middle', { forkedAt: { runId: 'base', seq: 2 }, entries: notes(2) });
  await create(store, 'top', { forkedAt: { runId: 'middle', seq: 4 } });
  for (const runId of ['base', 'middle']) expect(await deleteRun(parts, runId)).toBe(true);
  expect(await idsOf(store, { hidden: true })).toEqual(['base', 'middle']);
  return parts;
}

test('deleted runs go with the last fork that needs them', async () => {
  const parts = await lineage();
  expect(await deleteRun(parts, 'top')).toBe(true);
  expect(await idsOf(parts.store, { hidden: true })).toEqual([]);
});

test('deleting a fork again removes the runs that an interrupted delete left', async () => {
  const parts = await lineage();
  // As far as it came.
  await parts.store.trim({ runId: 'top', remove: true });
  expect(await deleteRun(parts, 'top')).toBe(false);
  expect(await idsOf(parts.store, { hidden: true })).toEqual([]);
});

test('deleting a run again finishes an interrupted delete', async () => {
  const parts = memoryParts();
  const { store, driver, disk } = parts;
  await create(store, 'base', { entries: notes(6) });
  await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 } });
  const trim = driver.trim.bind(driver);
  const pieces = vi.spyOn(driver, 'trim').mockImplementation(async (plan: TrimPlan) => {
    if (plan.hide === undefined) return trim(plan);
    // The first piece hides the run and drops one record; then the process dies.
    if (pieces.mock.calls.length > 2) throw new Error('killed');
    const piece = await trim({ ...plan, hide: { keepTo: 5 } });
    return piece.ok ? { ...piece, more: true } : piece;
  });
  await expect(deleteRun(parts, 'base')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  expect(await store.header('base')).toBeUndefined();
  expect(disk.runs.get('base')?.lastSeq).toBe(5);
  pieces.mockRestore();
  expect(await deleteRun(parts, 'base')).toBe(false);
  expect(disk.runs.get('base')?.lastSeq).toBe(2);
});

test('a removal in pieces that was interrupted is finished by the next one', async () => {
  const parts = memoryParts();
  const { store, driver, disk } = parts;
  await create(store, 'run', { entries: notes(6) });
  const trim = driver.trim.bind(driver);
  vi.spyOn(driver, 'trim').mockImplementationOnce(async ({ runId }) => {
    await trim({ runId, hide: { keepTo: 3 } });
    throw new Error('killed');
  });
  await expect(deleteRun(parts, 'run')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  expect(await store.header('run')).toBeUndefined();
  await removeUnusedRuns(parts);
  expect([...disk.runs.keys()]).toEqual([]);
});

test('a run without forks is deleted in two calls', async () => {
  const parts = memoryParts();
  await create(parts.store, 'run', { entries: notes(2) });
  const calls = [vi.spyOn(parts.driver, 'runs'), vi.spyOn(parts.driver, 'trim')];
  expect(await deleteRun(parts, 'run')).toBe(true);
  expect(calls.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('gives up with HOLDFAST_CONFLICT when every attempt is refused', async () => {
  const parts = memoryParts();
  await create(parts.store, 'run', { entries: notes(2) });
  const trim = vi.spyOn(parts.driver, 'trim').mockResolvedValue({ ok: false, why: 'forks' });
  await expect(deleteRun(parts, 'run')).rejects.toMatchObject({
    code: 'HOLDFAST_CONFLICT',
    details: { runId: 'run' },
  });
  expect(trim.mock.calls.length).toBeLessThanOrEqual(20);
});

test('terminates when the runs that were forked from each other form a cycle', async () => {
  const parts = await lineage();
  const base = parts.disk.runs.get('base') as MemoryRun;
  Object.assign(base, { fixed: { ...base.fixed, forkedAt: { runId: 'top', seq: 4 } } });
  const trim = parts.driver.trim.bind(parts.driver);
  // A store that does not notice the forks.
  vi.spyOn(parts.driver, 'trim').mockImplementation(async (plan) => {
    const trimmed = await trim(plan);
    return trimmed.ok ? trimmed : { ok: true, records: 0, snapshots: 0, bytes: 0, more: false };
  });
  expect(await deleteRun(parts, 'top')).toBe(true);
});

test('a run that a fork or a draft needs stays, and so does a draft', async () => {
  const parts = await lineage();
  const { store } = parts;
  await removeUnusedRuns(parts);
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
  await store.commit({ runId: 'draft', writer, expect: 3, entries: [], header });
  await store.trim({ runId: 'top', remove: true });
  await removeUnusedRuns(parts);
  expect((await idsOf(store, { hidden: true })).toSorted()).toEqual(['base', 'draft', 'middle']);
  expect(await deleteRun(parts, 'draft')).toBe(true);
  expect(await idsOf(store, { hidden: true })).toEqual([]);
  expect(await deleteRun(parts, 'draft')).toBe(false);
});
