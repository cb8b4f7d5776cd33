import assert from 'node:assert/strict';
import { CheckedStore } from '../../store/checked-store.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import type { Bench } from '../bench.ts';
import { withCalls } from '../with-calls.ts';
import type { Contract } from './contract.ts';
import {
  allOf,
  commit,
  create,
  creationOf,
  externalOf,
  headerOf,
  idsOf,
  note,
  ownerOf,
  refused,
  snapshotOf,
} from './given.ts';

/** What each capability promises; a store that says no to one is tested for that as well. */
export function capabilitiesContract({ describe, test }: Contract): void {
  describe('capabilities', () => {
    reopensTests(test);
    sharedTests(test);
    groupsTests(test);
  });
}

type Test = Contract['test'];

/** Something of everything that a store keeps. */
async function fill(bench: Bench): Promise<void> {
  const { store } = bench;
  await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 60_000 });
  await create(store, 'a-run', { entries: [note(1, 'chosen'), note(2)], tags: { t: 'v' }, wakeAt: await bench.now() });
  await store.claim({ type: 'one', worker: 'worker', runId: 'a-run' });
  await commit(store, ownerOf('a-run', { expect: 2, fence: 1, snapshot: snapshotOf(3) }));
  await create(store, 'b-fork', { forkedAt: { runId: 'a-run', seq: 3 } });
  await commit(store, ownerOf('a-run', { expect: 3, fence: 1, entries: [note('past the floor', 'late')] }));
  await store.trim({ runId: 'a-run', floor: 3 });
  await create(store, 'c-hidden');
  await store.trim({ runId: 'c-hidden', hide: { keepTo: 1 } });
  await create(store, 'd-removed');
  await store.trim({ runId: 'd-removed', remove: true });
}

async function everything(store: CheckedStore): Promise<unknown> {
  const runs = [...(await idsOf(store)), ...(await idsOf(store, { hidden: true }))];
  const found: unknown[] = [runs];
  for (const runId of runs) found.push(await allOf(store, runId));
  return found;
}

function reopensTests(test: Test): void {
  for (const how of ['reopen', 'crash'] as const) {
    const after = how === 'reopen' ? 'a close' : 'a crash';

    test(`has everything again after ${after} where it reopens, and begins empty where it does not`, async (bench) => {
      await fill(bench);
      const before = await everything(bench.store);
      await bench[how]();
      const { store } = bench;
      if (!store.capabilities.reopens) return assert.deepEqual(await everything(store), [[]]);
      assert.deepEqual(await everything(store), before);
      assert.equal((await store.records({ runId: 'a-run', id: 'late', order: 'oldest', limit: 1 }))[0]?.seq, 4);
      assert.deepEqual(await store.records({ runId: 'a-run', id: 'chosen', order: 'oldest', limit: 1 }), []);
      await refused(store, 'base', creationOf('e', { forkedAt: { runId: 'a-run', seq: 2 } }));
      assert.equal((await store.trim({ runId: 'a-run', remove: true })).ok, false);
      await commit(store, ownerOf('a-run', { expect: 4, fence: 1 }), externalOf('b-fork', { expect: 4 }));
    });

    test(`keeps leases over ${after} where it reopens`, async (bench) => {
      await fill(bench);
      await bench[how]();
      const { store } = bench;
      const reopens = store.capabilities.reopens;
      assert.equal((await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 60_000 })).alive, reopens);
      await store.claim({ type: 'heartbeat', worker: 'other', leaseMs: 60_000 });
      assert.deepEqual((await store.claim({ type: 'one', worker: 'other', runId: 'a-run' })).claimed, []);
    });
  }

  test('keeps every acknowledged commit over many reopenings', async (bench) => {
    const { reopens } = bench.store.capabilities;
    await create(bench.store, 'run');
    for (let head = 1; head < 20; head += 1) {
      await (head % 2 === 0 ? bench.reopen() : bench.crash());
      const outcome = await bench.store.commit(externalOf('run', { expect: head, entries: [note(head)] }));
      assert.equal(outcome.ok, reopens);
    }
    if (reopens) assert.equal((await headerOf(bench.store, 'run')).head, 20);
  });
}

function sharedTests(test: Test): void {
  test('shows each open driver the commits of the other where it is shared, and never where it is not', async (bench) => {
    await create(bench.store, 'run');
    if (!bench.store.capabilities.shared) {
      const other = await bench.openAnother().catch(() => undefined);
      return assert.deepEqual(other === undefined ? [] : await idsOf(other.store), []);
    }
    const { store } = await bench.openAnother();
    assert.deepEqual(await headerOf(store, 'run'), await headerOf(bench.store, 'run'));
    await commit(store, externalOf('run', { expect: 1, entries: [note('from the other')] }));
    await refused(bench.store, 'head', externalOf('run', { expect: 1 }));
    const [newest] = await bench.store.records({ runId: 'run', order: 'newest', limit: 1 });
    assert.equal(newest?.payload, 'from the other');
  });

  test('lets one of two open drivers win a head and a lease', async (bench) => {
    if (!bench.store.capabilities.shared) return;
    const stores = [bench.store, (await bench.openAnother()).store];
    await create(bench.store, 'run');
    for (const worker of ['w0', 'w1']) await bench.store.claim({ type: 'heartbeat', worker, leaseMs: 30_000 });
    for (let head = 1; head <= 10; head += 1) {
      const outcomes = await Promise.all(stores.map((store) => store.commit(externalOf('run', { expect: head }))));
      assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
    }
    const claims = stores.map((store, at) => store.claim({ type: 'one', worker: `w${at}`, runId: 'run' }));
    assert.equal((await Promise.all(claims)).flatMap(({ claimed }) => claimed).length, 1);
  });
}

function groupsTests(test: Test): void {
  test('gets commits of one turn together where it is faster with groups, and one by one where it is not', async (bench) => {
    const sizes: number[] = [];
    const store = new CheckedStore(counting(bench.driver, sizes), bench.env);
    const runs = Array.from({ length: 8 }, (_, at) => `run-${at}`);
    await Promise.all(runs.map((runId) => store.commit(creationOf(runId))));
    assert.deepEqual(sizes, store.capabilities.groups ? [8] : runs.map(() => 1));
    assert.deepEqual(await idsOf(bench.store), runs);
  });
}

/** The driver, with the sizes of its groups written down. */
function counting(driver: StoreDriver, sizes: number[]): StoreDriver {
  return withCalls(driver, {
    commit: (batches) => {
      sizes.push(batches.length);
      return driver.commit(batches);
    },
  });
}
