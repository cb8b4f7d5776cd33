import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { RunsQuery } from '../../../store/contract/read.ts';
import type { RunStatus, WaitHead } from '../../../store/contract/run.ts';
import type { Contract } from '../contract.ts';
import { type CreateParts, create, idsOf, notes } from '../given.ts';

const kinds = ['ask', 'sleep', 'receive', 'pause', 'child', 'effect'] as const;
const statuses: readonly RunStatus[] = [
  'pending',
  'running',
  'waiting',
  'suspended',
  'completed',
  'failed',
  'cancelled',
];

function waitOf(kind: WaitHead['kind']): WaitHead {
  return { id: `w-${kind}`, kind, name: 'name', node: 'node', since: 1 };
}

/** A population in which every filter tells some runs from others. */
const population: Readonly<Record<string, CreateParts>> = {
  'a-base': { entries: notes(3), graph: 'flow', status: 'completed', tags: { team: 'red' } },
  'a-child': {
    graph: 'flow',
    parentId: 'a-base',
    status: 'running',
    frontier: ['one', 'two'],
    tags: { team: 'blue' },
    worker: 'w-1',
  },
  'a-fork': { graph: 'flow', version: 2, forkedAt: { runId: 'a-base', seq: 2 }, tags: { team: 'red', stage: '1' } },
  'b-asks': {
    graph: 'other',
    status: 'waiting',
    waits: [waitOf('ask'), waitOf('sleep')],
    frontier: ['two'],
    worker: 'w-2',
  },
  'b-child': {
    graph: 'other',
    parentId: 'b-asks',
    status: 'running',
    tags: { team: 'blue', stage: '1' },
    worker: 'w-1',
  },
  'b-fork': { graph: 'other', forkedAt: { runId: 'a-base', seq: 3 }, status: 'failed', waits: [waitOf('effect')] },
};

const cases: readonly { readonly query: Partial<RunsQuery>; readonly finds: readonly string[] }[] = [
  { query: { runIds: ['a-child'] }, finds: ['a-child'] },
  { query: { runIds: ['nobody'] }, finds: [] },
  { query: { runIds: [] }, finds: [] },
  { query: { runIds: ['b-fork', 'nobody', 'a-child', 'b-fork'] }, finds: ['a-child', 'b-fork'] },
  { query: { worker: 'w-1' }, finds: ['a-child', 'b-child'] },
  { query: { worker: 'w-2' }, finds: ['b-asks'] },
  { query: { worker: 'w' }, finds: [] },
  { query: { status: ['running'] }, finds: ['a-child', 'b-child'] },
  { query: { status: ['failed', 'waiting', 'cancelled'] }, finds: ['b-asks', 'b-fork'] },
  { query: { graph: 'flow' }, finds: ['a-base', 'a-child', 'a-fork'] },
  { query: { graph: 'Flow' }, finds: [] },
  { query: { graph: 'flo' }, finds: [] },
  { query: { node: 'two' }, finds: ['a-child', 'b-asks'] },
  { query: { node: 'one' }, finds: ['a-child'] },
  { query: { node: 'tw' }, finds: [] },
  { query: { waits: 'sleep' }, finds: ['b-asks'] },
  { query: { waits: 'effect' }, finds: ['b-fork'] },
  { query: { waits: 'child' }, finds: [] },
  { query: { tags: { team: 'red' } }, finds: ['a-base', 'a-fork'] },
  { query: { tags: { team: 'blue', stage: '1' } }, finds: ['b-child'] },
  { query: { tags: { stage: 'red' } }, finds: [] },
  { query: { tags: { toString: 'x' } }, finds: [] },
  { query: { tags: {} }, finds: Object.keys(population) },
  { query: { parentId: 'a-base' }, finds: ['a-child'] },
  { query: { parentId: 'nobody' }, finds: [] },
  { query: { forkOf: 'a-base' }, finds: ['a-fork', 'b-fork'] },
  { query: { forkOf: 'a-fork' }, finds: [] },
  { query: { idPrefix: 'b-' }, finds: ['b-asks', 'b-child', 'b-fork'] },
  { query: { graph: 'other', status: ['running'] }, finds: ['b-child'] },
  { query: { graph: 'flow', worker: 'w-1' }, finds: ['a-child'] },
  { query: { runIds: ['a-child', 'b-child'], idPrefix: 'b-' }, finds: ['b-child'] },
  { query: { graph: 'flow', status: ['failed'] }, finds: [] },
  { query: { idPrefix: 'a-', tags: { team: 'red' }, forkOf: 'a-base' }, finds: ['a-fork'] },
  { query: { runIds: ['a-child'], graph: 'other' }, finds: [] },
  { query: { runIds: ['a-child'], graph: 'flow' }, finds: ['a-child'] },
  { query: { node: 'two', waits: 'ask' }, finds: ['b-asks'] },
  { query: { parentId: 'b-asks', tags: { stage: '1' } }, finds: ['b-child'] },
];

async function populate(store: CheckedStore): Promise<void> {
  for (const [runId, parts] of Object.entries(population)) await create(store, runId, parts);
}

/** What each filter of `runs()` promises, alone and with others. */
export function runsFilterTests(test: Contract['test']): void {
  test('finds by each filter, and by several together', async ({ store }) => {
    await populate(store);
    for (const { query, finds } of cases) assert.deepEqual(await idsOf(store, query), finds, JSON.stringify(query));
  });

  test('tells all statuses and all kinds of waits apart', async ({ store }) => {
    for (const status of statuses) await create(store, status, { status });
    for (const kind of kinds) await create(store, `w-${kind}`, { status: 'waiting', waits: [waitOf(kind)] });
    for (const status of statuses.filter((status) => status !== 'waiting')) {
      assert.deepEqual(await idsOf(store, { status: [status] }), [status]);
    }
    for (const kind of kinds) assert.deepEqual(await idsOf(store, { waits: kind }), [`w-${kind}`]);
    assert.equal((await idsOf(store, { status: statuses })).length, 13);
  });

  test('finds runs that were last changed before a time', async (bench) => {
    const { store, env } = bench;
    await create(store, 'early');
    await bench.advance(1_000);
    await create(store, 'late');
    const now = env.clock.now();
    assert.deepEqual(await idsOf(store, { updatedBefore: now }), ['early']);
    assert.deepEqual(await idsOf(store, { updatedBefore: now + 1 }), ['early', 'late']);
    assert.deepEqual(await idsOf(store, { updatedBefore: now - 1_000 }), []);
  });
}
