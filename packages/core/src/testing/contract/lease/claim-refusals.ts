import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { Contract } from '../contract.ts';
import { claimDue, claimedIds, commit, create, externalWriteOf, fenceOf, headerOf, leaseMs } from '../given.ts';

type Test = Contract['test'];

const refusal = { code: 'HOLDFAST_VERSION', message: 'This worker has no version 1 of "graph".' };

async function refuse(store: CheckedStore, worker: string, runId = 'run'): Promise<void> {
  assert.notEqual(await fenceOf(store, worker, runId), undefined, `${worker} leases ${runId}`);
  await store.claim({ type: 'release', worker, runIds: [runId], refusal });
}

/** What a worker that gives a run back untouched can rely on. */
export function refusalTests(test: Test): void {
  shownTests(test);
  leftOutTests(test);
}

function shownTests(test: Test): void {
  test('shows why a worker gave a run back, and when', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    const before = await headerOf(store, 'run');
    await bench.advance(10);
    await refuse(store, 'worker');
    const at = await bench.now();
    const refusals = [{ worker: 'worker', ...refusal, at }];
    assert.deepEqual(await headerOf(store, 'run'), { ...before, fence: 1, refusals });
    const [listed] = await store.runs({ order: 'oldest', limit: 1 });
    assert.deepEqual(listed?.refusals, refusals);
    const loaded = await store.load({ runId: 'run', limit: 1 });
    assert.deepEqual(loaded?.header.refusals, refusals);
  });

  test('keeps one refusal of each worker, the last one', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    await refuse(store, 'first');
    await refuse(store, 'second');
    await bench.advance(10);
    await refuse(store, 'first');
    const { refusals } = await headerOf(store, 'run');
    const now = await bench.now();
    assert.deepEqual(Object.fromEntries(refusals.map(({ worker, at }) => [worker, at])), {
      first: now,
      second: now - 10,
    });
    assert.equal(refusals.length, 2);
  });

  test('forgets the refusals when the head moves on', async ({ store }) => {
    await create(store, 'run');
    await refuse(store, 'worker');
    await commit(store, externalWriteOf('run', { expect: 1 }));
    assert.deepEqual((await headerOf(store, 'run')).refusals, []);
  });

  test('keeps no refusal of a run that the worker does not lease', async ({ store }) => {
    await create(store, 'run', { worker: 'other' });
    await store.claim({ type: 'release', worker: 'worker', runIds: ['run'], refusal });
    const { worker, refusals } = await headerOf(store, 'run');
    assert.deepEqual({ worker, refusals }, { worker: 'other', refusals: [] });
  });

  test('keeps refusals over a reopening where it reopens', async (bench) => {
    await create(bench.store, 'run');
    await refuse(bench.store, 'worker');
    const before = await headerOf(bench.store, 'run');
    if (!bench.store.capabilities.reopens) return;
    await bench.crash();
    assert.deepEqual(await headerOf(bench.store, 'run'), before);
  });
}

function leftOutTests(test: Test): void {
  test("leaves a refused run out of that worker's due claims and of nobody else's", async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    await create(store, 'run', { wakeAt: now });
    await create(store, 'next', { wakeAt: now + 9 });
    await refuse(store, 'worker');
    const own = await claimDue(store, 'worker');
    assert.deepEqual([claimedIds(own), own.nextDueAt], [[], now + 9]);
    assert.deepEqual(claimedIds(await claimDue(store, 'other')), ['run']);
  });

  test('lets the worker have it again once the head has moved, and at any time by its id', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now() });
    await refuse(store, 'worker');
    assert.equal(await fenceOf(store, 'worker'), 2);
    await store.claim({ type: 'release', worker: 'worker', runIds: ['run'] });
    assert.deepEqual(claimedIds(await claimDue(store, 'worker')), []);
    await commit(store, externalWriteOf('run', { expect: 1 }));
    assert.deepEqual(claimedIds(await claimDue(store, 'worker')), ['run']);
  });

  test('lets another take it over from one that died since', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now() });
    await refuse(store, 'first');
    assert.deepEqual(claimedIds(await claimDue(store, 'second')), ['run']);
    await bench.advance(leaseMs + 1);
    assert.deepEqual(claimedIds(await claimDue(store, 'first')), []);
    assert.deepEqual(claimedIds(await claimDue(store, 'third')), ['run']);
  });
}
