import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { GraphName } from '../../../store/contract/lease.ts';
import type { Bench } from '../../bench.ts';
import type { Contract } from '../contract.ts';
import {
  claimDue,
  claimedIds,
  claimOne,
  commit,
  create,
  externalWriteOf,
  headerOf,
  leaseMs,
  live,
  trimAll,
} from '../given.ts';
import { deathTests } from './claim-deaths.ts';
import { leaseTests } from './claim-leases.ts';
import { loadedClaimTests } from './claim-loaded.ts';
import { refusalTests } from './claim-refusals.ts';
import { dutyTests } from './duties.ts';

/** What claims, heartbeats, releases and duties promise. */
export function claimContract({ describe, test }: Contract): void {
  describe('claim()', () => {
    dueTests(test);
    nextDueTests(test);
    leaseEndTests(test);
    graphTests(test);
    oneTests(test);
    leaseTests(test);
    deathTests(test);
    loadedClaimTests(test);
    refusalTests(test);
    dutyTests(test);
  });
}

type Test = Contract['test'];

async function dueIds(store: CheckedStore, worker = 'worker', limit = 100): Promise<readonly string[]> {
  return claimedIds(await claimDue(store, worker, { limit }));
}

/** Five runs that are due since different times, and one that is not yet. */
async function createDue({ store, now }: { readonly store: CheckedStore; readonly now: number }): Promise<void> {
  for (const [runId, ago] of Object.entries({ c: 30, a: 50, e: 10, b: 40, d: 20, later: -10 })) {
    await create(store, runId, { wakeAt: now - ago });
  }
}

function dueTests(test: Test): void {
  test('leases due runs, the longest due first, up to the limit', async (bench) => {
    const { store } = bench;
    await createDue({ store, now: await bench.now() });
    assert.deepEqual(await dueIds(store, 'worker', 2), ['a', 'b']);
    assert.deepEqual(await dueIds(store, 'worker', 2), ['c', 'd']);
    assert.deepEqual(await dueIds(store, 'worker', 2), ['e']);
    assert.deepEqual(await dueIds(store), []);
  });

  test('leases a run from its wake time on', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: (await bench.now()) + 1_000 });
    await bench.advance(999);
    assert.deepEqual(await dueIds(store), []);
    await bench.advance(1);
    assert.deepEqual(await dueIds(store), ['run']);
  });

  test('leases no run without a wake time', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { status: 'suspended', wakeAt: null });
    assert.deepEqual(await dueIds(store), []);
    await commit(store, externalWriteOf('run', { expect: 1, header: { wakeAt: await bench.now() } }));
    assert.deepEqual(await dueIds(store), ['run']);
  });

  test('gives the new header: worker, raised fence, one takeover more', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now(), worker: 'gone', tags: { t: 'v' } });
    const before = await headerOf(store, 'run');
    const { claimed } = await claimDue(store, 'worker');
    assert.deepEqual(
      claimed.map(({ header }) => header),
      [{ ...before, worker: 'worker', fence: 2, claims: 1 }],
    );
    assert.deepEqual(await headerOf(store, 'run'), claimed[0]?.header);
  });

  test('gives every run to one of many workers', async (bench) => {
    const { store } = bench;
    const runs = Array.from({ length: 30 }, (_, at) => `run-${String(at).padStart(2, '0')}`);
    const now = await bench.now();
    for (const runId of runs) await create(store, runId, { wakeAt: now });
    const workers = ['w1', 'w2', 'w3', 'w4', 'w5'];
    const leased: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      leased.push(...(await Promise.all(workers.map((worker) => dueIds(store, worker, 4)))).flat());
    }
    assert.deepEqual(leased.toSorted(), runs);
    for (const runId of runs) assert.equal((await headerOf(store, runId)).fence, 1);
  });
}

function nextDueTests(test: Test): void {
  test('says when the next run is due that it left behind', async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    await createDue({ store, now });
    await create(store, 'other', { graph: 'other', wakeAt: now + 5 });
    await create(store, 'never', { wakeAt: null });
    const next = async (limit: number): Promise<unknown> => (await claimDue(store, 'worker', { limit })).nextDueAt;
    assert.equal(await next(2), now - 30);
    assert.equal(await next(2), now - 10);
    assert.equal(await next(2), now + 10);
    assert.equal(await next(2), now + 10);
    await bench.advance(10);
    assert.equal(await next(2), null);
  });

  test('says nothing of it for graphs without a waking run, and for other requests', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: (await bench.now()) + 10 });
    assert.equal((await claimDue(store, 'worker', { graphs: [{ name: 'other' }] })).nextDueAt, null);
    assert.equal((await claimDue(store, 'worker', { graphs: [] })).nextDueAt, null);
    assert.equal((await claimDue(store, 'worker', { graphs: [{ name: 'graph', version: 2 }] })).nextDueAt, null);
    assert.equal((await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs })).nextDueAt, null);
    assert.equal((await claimOne(store, 'worker', 'nobody')).nextDueAt, null);
  });

  test('tells the time of the store with every answer', async (bench) => {
    const { store } = bench;
    for (const stepMs of [0, 1, 77_777]) {
      await bench.advance(stepMs);
      const answers = [
        await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs }),
        await claimDue(store, 'worker'),
        await claimOne(store, 'worker', 'nobody'),
        await store.claim({ type: 'release', worker: 'worker', runIds: [] }),
        await store.claim({ type: 'duty', worker: 'worker', name: 'sweep', everyMs: 1_000 }),
      ];
      const now = await bench.now();
      assert.deepEqual(
        answers.map((answer) => answer.now),
        answers.map(() => now),
      );
    }
  });
}

function leaseEndTests(test: Test): void {
  test('counts the ends of the leases of others, as they stand', async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    const next = async (given: object = {}): Promise<unknown> => (await claimDue(store, 'worker', given)).nextDueAt;
    await create(store, 'due', { wakeAt: now - 1, worker: 'first' });
    await create(store, 'sleeps', { wakeAt: now + 3 * leaseMs, worker: 'second' });
    await create(store, 'waits', { wakeAt: null, worker: 'third' });
    await create(store, 'own', { wakeAt: now, worker: 'worker' });
    await live(store, 'first', 'second', 'third', 'worker');
    assert.equal(await next(), now + leaseMs);
    assert.equal(await next({ graphs: [{ name: 'other' }] }), null);
    await bench.advance(10);
    await live(store, 'first');
    assert.equal(await next(), now + 10 + leaseMs);
    await create(store, 'free', { wakeAt: now + 20 });
    assert.equal(await next(), now + 20);
    await bench.advance(leaseMs);
    assert.deepEqual(claimedIds(await claimDue(store, 'worker')), ['due', 'free']);
    assert.equal(await next(), now + 3 * leaseMs);
  });

  test('counts no leased run without takeover', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now(), worker: 'first' });
    await live(store, 'first');
    assert.equal((await claimDue(store, 'worker', { takeover: false })).nextDueAt, null);
  });

  test('says when one run can be leased that was claimed too early', async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    const wakeAt = now + 10;
    await create(store, 'free', { wakeAt });
    await create(store, 'left', { wakeAt, worker: 'dead' });
    await create(store, 'leased', { wakeAt, worker: 'alive' });
    await create(store, 'own', { wakeAt, worker: 'worker' });
    await create(store, 'waits', { wakeAt: null });
    await live(store, 'alive');
    const next = async (runId: string): Promise<unknown> =>
      (await store.claim({ type: 'one', worker: 'worker', leaseMs, runId, ifDue: true })).nextDueAt;
    const found = [];
    for (const runId of ['free', 'left', 'leased', 'own', 'waits', 'nobody']) found.push(await next(runId));
    assert.deepEqual(found, [wakeAt, wakeAt, now + leaseMs, null, null, null]);
    assert.equal((await claimOne(store, 'worker', 'free')).nextDueAt, null);
  });
}

async function createVersions(bench: Bench): Promise<void> {
  const wakeAt = await bench.now();
  await create(bench.store, 'flow-1', { graph: 'flow', version: 1, wakeAt: wakeAt - 3 });
  await create(bench.store, 'flow-2', { graph: 'flow', version: 2, wakeAt: wakeAt - 2 });
  await create(bench.store, 'other-1', { graph: 'other', version: 1, wakeAt: wakeAt - 1 });
}

function graphTests(test: Test): void {
  const cases: readonly { readonly names: readonly GraphName[]; readonly leases: readonly string[] }[] = [
    { names: [], leases: [] },
    { names: [{ name: 'unknown' }, { name: 'flow', version: 3 }], leases: [] },
    { names: [{ name: 'flow' }], leases: ['flow-1', 'flow-2'] },
    { names: [{ name: 'flow', version: 2 }], leases: ['flow-2'] },
    { names: [{ name: 'flow', version: 2 }, { name: 'other' }], leases: ['flow-2', 'other-1'] },
    {
      names: [
        { name: 'flow', version: 1 },
        { name: 'flow', version: 2 },
      ],
      leases: ['flow-1', 'flow-2'],
    },
    {
      names: [
        { name: 'flow', version: 2 },
        { name: 'other', version: 2 },
      ],
      leases: ['flow-2'],
    },
  ];

  for (const { names, leases } of cases) {
    test(`leases only runs of the named graphs and versions: ${JSON.stringify(names)}`, async (bench) => {
      await createVersions(bench);
      assert.deepEqual(claimedIds(await claimDue(bench.store, 'worker', { graphs: names })), leases);
    });
  }
}

function oneTests(test: Test): void {
  test('leases one run whatever its wake time and its graph', async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    const wakeTimes = { due: now, future: now + 60_000, suspended: null };
    for (const [runId, wakeAt] of Object.entries(wakeTimes)) {
      await create(store, runId, { wakeAt, graph: runId, status: 'waiting' });
      const { claimed } = await claimOne(store, 'worker', runId);
      const [header] = claimed.map((run) => run.header);
      assert.deepEqual(header, await headerOf(store, runId));
      assert.deepEqual([header?.worker, header?.fence, header?.claims, header?.wakeAt], ['worker', 1, 0, wakeAt]);
    }
  });

  test('leases one run only if it is due, where that is asked for', async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    await create(store, 'never', { wakeAt: null });
    await create(store, 'future', { wakeAt: now + 1_000 });
    await create(store, 'due', { wakeAt: now });
    const isLeased = async (runId: string): Promise<boolean> =>
      (await claimOne(store, 'worker', runId, { ifDue: true })).claimed.length === 1;
    assert.deepEqual([await isLeased('never'), await isLeased('future'), await isLeased('due')], [false, false, true]);
    assert.equal((await headerOf(store, 'future')).fence, 0);
    await bench.advance(1_000);
    assert.equal(await isLeased('future'), true);
  });

  test('leases nothing where there is no such run', async ({ store }) => {
    const { claimed, corrupt, granted } = await claimOne(store, 'worker', 'nobody');
    assert.deepEqual({ claimed, corrupt, granted }, { claimed: [], corrupt: [], granted: false });
  });

  test('never leases a journal run', async ({ store }) => {
    await create(store, 'run', { kind: 'journal' });
    assert.deepEqual((await claimOne(store, 'worker', 'run')).claimed, []);
    assert.deepEqual(await dueIds(store), []);
    assert.deepEqual((await headerOf(store, 'run')).fence, 0);
  });

  test('never leases a hidden run', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now() });
    await trimAll(store, { runId: 'run', hide: { keepTo: 1 } });
    assert.deepEqual((await claimOne(store, 'worker', 'run')).claimed, []);
    assert.deepEqual(await dueIds(store), []);
  });

  test('gives one run to one of many workers', async ({ store }) => {
    const workers = Array.from({ length: 10 }, (_, at) => `w-${at}`);
    await create(store, 'run');
    const answers = await Promise.all(workers.map((worker) => claimOne(store, worker, 'run')));
    assert.equal(answers.flatMap(({ claimed }) => claimed).length, 1);
    assert.equal((await headerOf(store, 'run')).fence, 1);
  });
}
