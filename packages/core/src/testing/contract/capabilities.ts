import assert from 'node:assert/strict';
import { CheckedStore } from '../../store/checked-store.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import type { Bench } from '../bench.ts';
import { withCalls } from '../with-calls.ts';
import { batchOf } from './commit/seal-batch.ts';
import type { Contract } from './contract.ts';
import {
  allOf,
  claimOne,
  commit,
  create,
  creationOf,
  externalWriteOf,
  headerOf,
  idsOf,
  note,
  ownerOf,
  refused,
  snapshotOf,
  trimAll,
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
  await create(store, 'a-run', { entries: [note(1, 'chosen'), note(2)], tags: { t: 'v' }, wakeAt: await bench.now() });
  await claimOne(store, 'worker', 'a-run', { leaseMs: 60_000 });
  await commit(store, ownerOf('a-run', { expect: 2, fence: 1, snapshot: snapshotOf(3) }));
  await create(store, 'b-fork', { forkedAt: { runId: 'a-run', seq: 3 } });
  await commit(store, ownerOf('a-run', { expect: 3, fence: 1, entries: [note('past the floor', 'late')] }));
  await trimAll(store, { runId: 'a-run', floor: 3 });
  await create(store, 'c-hidden');
  await trimAll(store, { runId: 'c-hidden', hide: { keepTo: 1 } });
  await create(store, 'd-removed');
  await trimAll(store, { runId: 'd-removed', remove: true });
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
      assert.equal((await store.ids({ runId: 'a-run', id: 'late', limit: 1 }))[0]?.seq, 4);
      assert.equal((await store.ids({ runId: 'a-run', id: 'chosen', limit: 1 }))[0]?.seq, 1);
      await refused(store, 'base', creationOf('e', { forkedAt: { runId: 'a-run', seq: 2 } }));
      assert.equal((await trimAll(store, { runId: 'a-run', remove: true })).ok, false);
      await commit(store, ownerOf('a-run', { expect: 4, fence: 1 }), externalWriteOf('b-fork', { expect: 4 }));
    });

    test(`keeps leases over ${after} where it reopens`, async (bench) => {
      await fill(bench);
      await bench[how]();
      const { store } = bench;
      assert.deepEqual((await claimOne(store, 'other', 'a-run')).claimed, []);
      if (!store.capabilities.reopens) return;
      await bench.advance(60_001);
      assert.equal((await claimOne(store, 'other', 'a-run')).claimed.length, 1);
    });
  }

  test('keeps every acknowledged commit over many reopenings', async (bench) => {
    const { reopens } = bench.store.capabilities;
    await create(bench.store, 'run');
    for (let head = 1; head < 20; head += 1) {
      await (head % 2 === 0 ? bench.reopen() : bench.crash());
      const outcome = await bench.store.commit(externalWriteOf('run', { expect: head, entries: [note(head)] }));
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
    await commit(store, externalWriteOf('run', { expect: 1, entries: [note('from the other')] }));
    await refused(bench.store, 'head', externalWriteOf('run', { expect: 1 }));
    const [newest] = await bench.store.records({ runId: 'run', order: 'newest', limit: 1 });
    assert.equal(newest?.payload, 'from the other');
  });

  test('lets one of two open drivers win a head and a lease', async (bench) => {
    if (!bench.store.capabilities.shared) return;
    const stores = [bench.store, (await bench.openAnother()).store];
    await create(bench.store, 'run');
    for (let head = 1; head <= 10; head += 1) {
      const outcomes = await Promise.all(stores.map((store) => store.commit(externalWriteOf('run', { expect: head }))));
      assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
    }
    const claims = stores.map((store, at) => claimOne(store, `w${at}`, 'run'));
    assert.equal((await Promise.all(claims)).flatMap(({ claimed }) => claimed).length, 1);
  });
}

function groupsTests(test: Test): void {
  test('says how many groups it takes at the same time', async ({ store }) => {
    const { groupsInFlight } = store.capabilities;
    assert.ok(Number.isSafeInteger(groupsInFlight) && groupsInFlight >= 1);
  });

  test('gets commits of one tick together', async (bench) => {
    const groups: string[][] = [];
    const store = new CheckedStore(watched(bench, groups), bench.env);
    const runs = Array.from({ length: 8 }, (_, at) => `run-${at}`);
    await Promise.all(runs.map((runId) => store.commit(creationOf(runId))));
    assert.deepEqual(groups, [runs]);
    assert.deepEqual(await idsOf(bench.store), runs);
  });

  test('gets no more groups than it takes, and never two with the same run', async (bench) => {
    const store = new CheckedStore(watched(bench, []), bench.env);
    const runs = Array.from({ length: 12 }, (_, at) => `run-${at}`);
    const write = async (runId: string, at: number): Promise<void> => {
      await ticks(bench, at % 4);
      const creating = create(store, runId);
      const appending = store.commit(externalWriteOf(runId, { expect: 1 }));
      await creating;
      const first = await appending;
      await commit(store, externalWriteOf(runId, { expect: first.ok ? 2 : 1 }));
    };
    await Promise.all(runs.map(write));
    for (const runId of runs) assert.equal((await headerOf(bench.store, runId)).head, 3);
  });

  test('takes as many groups at the same time as it says', async ({ driver, store }) => {
    const groups = Array.from({ length: driver.capabilities.groupsInFlight }, (_, at) =>
      [1, 2, 3].map((each) => batchOf(creationOf(`run-${at}-${each}`), { token: `t-${at}-${each}` })),
    );
    const results = await Promise.all(groups.map((group) => driver.commit(group)));
    for (const result of results.flat()) assert.deepEqual(result, { ok: true });
    assert.equal((await idsOf(store)).length, 3 * groups.length);
  });
}

/** The driver, a little slower, with its groups written down; it fails the test when it gets too many at a time. */
function watched({ driver, env }: Bench, groups: string[][]): StoreDriver {
  const inFlight = new Set<readonly string[]>();
  return withCalls(driver, {
    commit: async (batches) => {
      const runs = batches.map(({ runId }) => runId);
      const busy = new Set([...inFlight].flat());
      assert.ok(!runs.some((runId) => busy.has(runId)), 'one group at a time has a run');
      assert.equal(new Set(runs).size, runs.length, 'a group has a run once');
      assert.deepEqual(runs, runs.toSorted());
      inFlight.add(runs);
      groups.push(runs);
      assert.ok(inFlight.size <= driver.capabilities.groupsInFlight, 'not more groups than it takes');
      await ticks({ env }, 3);
      const results = await driver.commit(batches);
      inFlight.delete(runs);
      return results;
    },
  });
}

async function ticks({ env }: Pick<Bench, 'env'>, count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise<void>((resolve) => env.nextTick(resolve));
}
