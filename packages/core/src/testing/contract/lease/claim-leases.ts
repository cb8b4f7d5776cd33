import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { Bench } from '../../bench.ts';
import type { Contract } from '../contract.ts';
import {
  claimDue,
  claimedIds,
  claimOne,
  commit,
  create,
  fenceOf,
  headerOf,
  idsOf,
  leaseMs,
  live,
  ownerOf,
  refused,
} from '../given.ts';

type Test = Contract['test'];

/** What the leases of workers promise. */
export function leaseTests(test: Test): void {
  aliveTests(test);
  leaseEndTests(test);
  takeoverTests(test);
  crashTests(test);
  returnTests(test);
  releaseTests(test);
}

function aliveTests(test: Test): void {
  const requests: Readonly<Record<string, (store: CheckedStore) => Promise<unknown>>> = {
    heartbeat: (store) => live(store, 'first'),
    due: (store) => claimDue(store, 'first', { graphs: [] }),
    one: (store) => claimOne(store, 'first', 'nobody'),
  };
  for (const [type, request] of Object.entries(requests)) {
    test(`keeps a worker alive for its lease from now: ${type}`, async (bench) => {
      const { store } = bench;
      await create(store, 'run');
      assert.equal(await fenceOf(store, 'first'), 1);
      for (let beats = 0; beats < 3; beats += 1) {
        await bench.advance(leaseMs - 1);
        await request(store);
      }
      await bench.advance(leaseMs - 1);
      assert.equal(await fenceOf(store, 'second'), undefined);
      await bench.advance(2);
      assert.equal(await fenceOf(store, 'second'), 2);
    });
  }

  test('counts a lease from the last request on, longer or shorter', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { worker: 'first' });
    await store.claim({ type: 'heartbeat', worker: 'first', leaseMs: 60_000 });
    await store.claim({ type: 'heartbeat', worker: 'first', leaseMs: 100 });
    await bench.advance(99);
    assert.equal(await fenceOf(store, 'second'), undefined);
    await bench.advance(2);
    assert.equal(await fenceOf(store, 'second'), 2);
  });

  test('says whether a worker is alive, and changes nothing by it', async (bench) => {
    const { store } = bench;
    const isAlive = async (worker: string): Promise<boolean> => (await store.claim({ type: 'alive', worker })).granted;
    assert.equal(await isAlive('first'), false);
    await live(store, 'first');
    assert.equal(await isAlive('first'), true);
    assert.equal(await isAlive('second'), false);
    await bench.advance(leaseMs - 1);
    assert.equal(await isAlive('first'), true);
    await bench.advance(2);
    assert.equal(await isAlive('first'), false);
  });

  test('keeps nobody alive with a release or a duty', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { worker: 'first' });
    await live(store, 'first');
    await bench.advance(leaseMs - 1);
    await store.claim({ type: 'release', worker: 'first', runIds: [] });
    await store.claim({ type: 'duty', worker: 'first', name: 'sweep', everyMs: 1_000 });
    await bench.advance(2);
    assert.equal(await fenceOf(store, 'second'), 2);
  });
}

function leaseEndTests(test: Test): void {
  test('says until when the lease of a living worker lasts', async (bench) => {
    const { store } = bench;
    const endOf = async (worker: string): Promise<number | null> => {
      const { nextDueAt, now } = await store.claim({ type: 'alive', worker });
      return nextDueAt === null ? null : Math.round(nextDueAt - now);
    };
    await live(store, 'first');
    await bench.advance(20);
    assert.deepEqual([await endOf('first'), await endOf('second')], [leaseMs - 20, null]);
    await bench.advance(leaseMs);
    assert.equal(await endOf('first'), null);
  });
}

function takeoverTests(test: Test): void {
  test('keeps a run from others while its worker lives', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now() });
    assert.equal(await fenceOf(store, 'first'), 1);
    await bench.advance(leaseMs - 1);
    assert.equal(await fenceOf(store, 'second'), undefined);
    assert.deepEqual((await claimDue(store, 'second')).claimed, []);
  });

  test('gives a run that its own worker leases to nobody, itself included', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now() });
    assert.equal(await fenceOf(store, 'worker'), 1);
    assert.equal(await fenceOf(store, 'worker'), undefined);
    assert.deepEqual((await claimDue(store, 'worker')).claimed, []);
  });

  test('lets another take over when the lease has ended, and refuses the old owner', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    assert.equal(await fenceOf(store, 'first'), 1);
    await bench.advance(leaseMs + 1);
    await commit(store, ownerOf('run', { expect: 1, fence: 1 }));
    assert.equal(await fenceOf(store, 'second'), 2);
    await refused(store, 'fence', ownerOf('run', { expect: 2, fence: 1 }));
    await commit(store, ownerOf('run', { expect: 2, fence: 2 }));
    assert.equal((await headerOf(store, 'run')).worker, 'second');
  });

  test('leaves leased runs alone without takeover, whether their worker lives or not', async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    await create(store, 'left', { wakeAt: now - 2, worker: 'dead' });
    await create(store, 'later', { wakeAt: now + 5, worker: 'dead' });
    await create(store, 'free', { wakeAt: now - 1 });
    const without = await claimDue(store, 'worker', { takeover: false });
    assert.deepEqual([claimedIds(without), without.nextDueAt], [['free'], null]);
    assert.equal((await headerOf(store, 'left')).fence, 1);
    const withIt = await claimDue(store, 'worker');
    assert.deepEqual([claimedIds(withIt), withIt.nextDueAt], [['left'], now + 5]);
  });
}

function crashTests(test: Test): void {
  test('takes one run over only with takeover', async (bench) => {
    const { store } = bench;
    const now = await bench.now();
    await create(store, 'left', { wakeAt: now - 2, worker: 'dead' });
    await create(store, 'free', { wakeAt: now - 1 });
    const one = { type: 'one', worker: 'worker', leaseMs, ifDue: true } as const;
    const left = await store.claim({ ...one, runId: 'left', takeover: false });
    assert.deepEqual([claimedIds(left), left.nextDueAt], [[], now - 2]);
    assert.deepEqual(claimedIds(await store.claim({ ...one, runId: 'free', takeover: false })), ['free']);
    assert.deepEqual(claimedIds(await store.claim({ ...one, runId: 'left', takeover: true })), ['left']);
  });

  test('counts the claims that took a run over until the owner commits', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    for (const count of [0, 1, 2]) {
      assert.equal(await fenceOf(store, `worker-${count}`), count + 1);
      assert.equal((await headerOf(store, 'run')).claims, count);
      await bench.advance(leaseMs + 1);
    }
    await commit(store, ownerOf('run', { expect: 1, fence: 3 }));
    assert.equal((await headerOf(store, 'run')).claims, 0);
  });
}

function returnTests(test: Test): void {
  const returns: Readonly<Record<string, (bench: Bench) => Promise<unknown>>> = {
    heartbeat: ({ store }) => live(store, 'first'),
    due: ({ store }) => claimDue(store, 'first'),
    one: ({ store }) => claimOne(store, 'first', 'run'),
  };
  for (const [type, comeBack] of Object.entries(returns)) {
    test(`lets a worker keep its runs when it comes back before anyone claimed them: ${type}`, async (bench) => {
      const { store } = bench;
      await create(store, 'run', { wakeAt: await bench.now() });
      await fenceOf(store, 'first');
      await bench.advance(leaseMs + 1);
      await comeBack(bench);
      assert.equal(await fenceOf(store, 'second'), undefined);
      await commit(store, ownerOf('run', { expect: 1, fence: 1 }));
    });
  }

  test('leases a new run to its creator from the first record on', async ({ store }) => {
    await live(store, 'creator');
    await create(store, 'run', { worker: 'creator' });
    await create(store, 'left', { worker: 'dead' });
    assert.equal(await fenceOf(store, 'second'), undefined);
    assert.equal(await fenceOf(store, 'second', 'left'), 2);
  });

  test('finds the runs that a worker leases', async ({ store }) => {
    for (const runId of ['a', 'b', 'c']) await create(store, runId);
    await fenceOf(store, 'first', 'a');
    await fenceOf(store, 'first', 'c');
    await fenceOf(store, 'second', 'b');
    assert.deepEqual(await idsOf(store, { worker: 'first' }), ['a', 'c']);
    await store.claim({ type: 'release', worker: 'first', runIds: ['a'] });
    assert.deepEqual(await idsOf(store, { worker: 'first' }), ['c']);
    await commit(store, ownerOf('c', { expect: 1, fence: 1, release: true }));
    assert.deepEqual(await idsOf(store, { worker: 'first' }), []);
  });
}

function releaseTests(test: Test): void {
  test('releases the named runs and no other', async ({ store }) => {
    for (const runId of ['a', 'b', 'c']) await create(store, runId, { worker: 'first' });
    await create(store, 'd', { worker: 'third' });
    await live(store, 'first', 'third');
    await store.claim({ type: 'release', worker: 'first', runIds: ['a', 'b', 'd', 'nobody'] });
    const workers = [];
    for (const runId of ['a', 'b', 'c', 'd']) workers.push((await headerOf(store, runId)).worker);
    assert.deepEqual(workers, [null, null, 'first', 'third']);
    assert.equal(await fenceOf(store, 'second', 'a'), 2);
    assert.equal(await fenceOf(store, 'second', 'c'), undefined);
  });

  test('releases all runs and the worker', async ({ store }) => {
    for (const runId of ['a', 'b']) await create(store, runId, { worker: 'first' });
    await create(store, 'c', { worker: 'third' });
    await live(store, 'first', 'third');
    await store.claim({ type: 'release', worker: 'first' });
    assert.deepEqual([await fenceOf(store, 'second', 'a'), await fenceOf(store, 'second', 'b')], [2, 2]);
    assert.equal(await fenceOf(store, 'second', 'c'), undefined);
    await create(store, 'late', { worker: 'first' });
    assert.equal(await fenceOf(store, 'second', 'late'), 2);
  });

  test('counts no release as a crash, and forgets no crash by one', async ({ store }) => {
    await create(store, 'run', { worker: 'dead' });
    for (const fence of [2, 3, 4]) {
      assert.equal(await fenceOf(store, 'worker'), fence);
      const before = await headerOf(store, 'run');
      assert.equal(before.claims, 1);
      await store.claim({ type: 'release', worker: 'worker', runIds: ['run'] });
      assert.deepEqual(await headerOf(store, 'run'), { ...before, worker: null });
    }
  });

  test('leaves runs alone that another has taken over', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    await fenceOf(store, 'first');
    await bench.advance(leaseMs + 1);
    await fenceOf(store, 'second');
    await store.claim({ type: 'release', worker: 'first' });
    const { worker, claims } = await headerOf(store, 'run');
    assert.deepEqual({ worker, claims }, { worker: 'second', claims: 1 });
  });
}
