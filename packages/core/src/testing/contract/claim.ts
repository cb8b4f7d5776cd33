import assert from 'node:assert/strict';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { GraphName } from '../../store/contract/lease.ts';
import type { Bench } from '../bench.ts';
import { leaseTests } from './claim-leases.ts';
import type { Contract } from './contract.ts';
import { commit, create, externalOf, headerOf } from './given.ts';

/** What claims, heartbeats and releases promise. */
export function claimContract({ describe, test }: Contract): void {
  describe('claim()', () => {
    dueTests(test);
    graphTests(test);
    oneTests(test);
    leaseTests(test);
  });
}

type Test = Contract['test'];

async function live(store: CheckedStore, ...workers: readonly string[]): Promise<void> {
  for (const worker of workers) await store.claim({ type: 'heartbeat', worker, leaseMs: 30_000 });
}

const graphs: readonly GraphName[] = [{ name: 'graph' }];

async function claimDue(store: CheckedStore, worker = 'worker', limit = 100): Promise<readonly string[]> {
  const { claimed } = await store.claim({ type: 'due', worker, graphs, limit });
  return claimed.map(({ runId }) => runId);
}

/** Five runs that are due since different times, and one that is not yet. */
async function createDue({ store, now }: { readonly store: CheckedStore; readonly now: number }): Promise<void> {
  for (const [runId, ago] of Object.entries({ c: 30, a: 50, e: 10, b: 40, d: 20, later: -10 })) {
    await create(store, runId, { wakeAt: now - ago });
  }
}

function dueTests(test: Test): void {
  test('takes due runs, the longest due first, up to the limit', async (bench) => {
    const { store } = bench;
    await createDue({ store, now: await bench.now() });
    await live(store, 'worker');
    assert.deepEqual(await claimDue(store, 'worker', 2), ['a', 'b']);
    assert.deepEqual(await claimDue(store, 'worker', 2), ['c', 'd']);
    assert.deepEqual(await claimDue(store, 'worker', 2), ['e']);
    assert.deepEqual(await claimDue(store), []);
  });

  test('takes a run from its wake time on', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: (await bench.now()) + 1_000 });
    await live(store, 'worker');
    await bench.advance(999);
    assert.deepEqual(await claimDue(store), []);
    await bench.advance(1);
    assert.deepEqual(await claimDue(store), ['run']);
  });

  test('takes no run without a wake time', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { status: 'running', wakeAt: null });
    await live(store, 'worker');
    assert.deepEqual(await claimDue(store), []);
    await commit(store, externalOf('run', { expect: 1, header: { wakeAt: await bench.now() } }));
    assert.deepEqual(await claimDue(store), ['run']);
  });

  test('gives the new header: worker, raised fence, one claim more', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now(), worker: 'gone', tags: { t: 'v' } });
    const before = await headerOf(store, 'run');
    await live(store, 'worker');
    const { claimed, alive } = await store.claim({ type: 'due', worker: 'worker', graphs, limit: 1 });
    assert.equal(alive, true);
    assert.deepEqual(claimed, [{ ...before, worker: 'worker', fence: 2, claims: 1 }]);
    assert.deepEqual(await headerOf(store, 'run'), claimed[0]);
  });

  test('gives every run to one of many workers', async (bench) => {
    const { store } = bench;
    const runs = Array.from({ length: 30 }, (_, at) => `run-${String(at).padStart(2, '0')}`);
    const now = await bench.now();
    for (const runId of runs) await create(store, runId, { wakeAt: now });
    const workers = ['w1', 'w2', 'w3', 'w4', 'w5'];
    await live(store, ...workers);
    const taken: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      taken.push(...(await Promise.all(workers.map((worker) => claimDue(store, worker, 4)))).flat());
    }
    assert.deepEqual(taken.toSorted(), runs);
    for (const runId of runs) assert.equal((await headerOf(store, runId)).fence, 1);
  });
}

async function createVersions(bench: Bench): Promise<void> {
  const wakeAt = await bench.now();
  await create(bench.store, 'flow-1', { graph: 'flow', version: 1, wakeAt: wakeAt - 3 });
  await create(bench.store, 'flow-2', { graph: 'flow', version: 2, wakeAt: wakeAt - 2 });
  await create(bench.store, 'other-1', { graph: 'other', version: 1, wakeAt: wakeAt - 1 });
  await live(bench.store, 'worker');
}

function graphTests(test: Test): void {
  const cases: readonly { readonly names: readonly GraphName[]; readonly takes: readonly string[] }[] = [
    { names: [], takes: [] },
    { names: [{ name: 'unknown' }, { name: 'flow', version: 3 }], takes: [] },
    { names: [{ name: 'flow' }], takes: ['flow-1', 'flow-2'] },
    { names: [{ name: 'flow', version: 2 }], takes: ['flow-2'] },
    { names: [{ name: 'flow', version: 2 }, { name: 'other' }], takes: ['flow-2', 'other-1'] },
    {
      names: [
        { name: 'flow', version: 1 },
        { name: 'flow', version: 2 },
      ],
      takes: ['flow-1', 'flow-2'],
    },
    {
      names: [
        { name: 'flow', version: 2 },
        { name: 'other', version: 2 },
      ],
      takes: ['flow-2'],
    },
  ];

  for (const { names, takes } of cases) {
    test(`takes only runs of the named graphs and versions: ${JSON.stringify(names)}`, async (bench) => {
      await createVersions(bench);
      const { claimed } = await bench.store.claim({ type: 'due', worker: 'worker', graphs: names, limit: 9 });
      assert.deepEqual(
        claimed.map(({ runId }) => runId),
        takes,
      );
    });
  }
}

function oneTests(test: Test): void {
  const one = { type: 'one', worker: 'worker', runId: 'run' } as const;

  test('takes one run whatever its wake time and its graph', async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    await live(store, 'worker');
    const wakeTimes = { due: now, future: now + 60_000, held: null };
    for (const [runId, wakeAt] of Object.entries(wakeTimes)) {
      await create(store, runId, { wakeAt, graph: runId, status: 'waiting' });
      const { claimed, alive } = await store.claim({ ...one, runId });
      assert.equal(alive, true);
      assert.deepEqual(claimed, [await headerOf(store, runId)]);
      assert.deepEqual(
        [claimed[0]?.worker, claimed[0]?.fence, claimed[0]?.claims, claimed[0]?.wakeAt],
        ['worker', 1, 1, wakeAt],
      );
    }
  });

  test('takes nothing where there is no such run', async ({ store }) => {
    await live(store, 'worker');
    assert.deepEqual(await store.claim(one), { claimed: [], alive: true });
  });

  test('never takes a journal run', async ({ store }) => {
    await live(store, 'worker');
    await create(store, 'run', { kind: 'journal' });
    assert.deepEqual((await store.claim(one)).claimed, []);
    assert.deepEqual(await claimDue(store), []);
    assert.deepEqual((await headerOf(store, 'run')).fence, 0);
  });

  test('never takes a hidden run', async (bench) => {
    const { store } = bench;
    await live(store, 'worker');
    await create(store, 'run', { wakeAt: await bench.now() });
    await store.trim({ runId: 'run', hide: { keepTo: 1 } });
    assert.deepEqual((await store.claim(one)).claimed, []);
    assert.deepEqual(await claimDue(store), []);
  });

  test('gives one run to one of many workers', async ({ store }) => {
    const workers = Array.from({ length: 10 }, (_, at) => `w-${at}`);
    await live(store, ...workers);
    await create(store, 'run');
    const answers = await Promise.all(workers.map((worker) => store.claim({ ...one, worker })));
    assert.equal(answers.flatMap(({ claimed }) => claimed).length, 1);
    assert.equal((await headerOf(store, 'run')).fence, 1);
  });
}
