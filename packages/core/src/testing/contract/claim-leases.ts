import assert from 'node:assert/strict';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { Contract } from './contract.ts';
import { commit, create, headerOf, ownerOf, refused } from './given.ts';

type Test = Contract['test'];

const leaseMs = 5_000;

async function beat(store: CheckedStore, worker: string, lease = leaseMs): Promise<boolean> {
  const { claimed, alive } = await store.claim({ type: 'heartbeat', worker, leaseMs: lease });
  assert.deepEqual(claimed, []);
  return alive;
}

async function take(store: CheckedStore, worker: string, runId = 'run'): Promise<number | undefined> {
  const { claimed } = await store.claim({ type: 'one', worker, runId });
  return claimed[0]?.fence;
}

/** What the leases of workers promise. */
export function leaseTests(test: Test): void {
  aliveTests(test);
  takeoverTests(test);
  returnTests(test);
  releaseTests(test);
}

function aliveTests(test: Test): void {
  test('tells whether the lease was valid when the request came', async (bench) => {
    const { store } = bench;
    assert.equal(await beat(store, 'worker'), false);
    assert.equal(await beat(store, 'worker'), true);
    await bench.advance(leaseMs - 1);
    assert.equal((await store.claim({ type: 'due', worker: 'worker', graphs: [], limit: 1 })).alive, true);
    assert.equal((await store.claim({ type: 'one', worker: 'worker', runId: 'nobody' })).alive, true);
    await bench.advance(2);
    assert.equal((await store.claim({ type: 'due', worker: 'worker', graphs: [], limit: 1 })).alive, false);
    assert.equal((await store.claim({ type: 'release', worker: 'worker', runs: [] })).alive, false);
    assert.equal(await beat(store, 'worker'), false);
    assert.equal((await store.claim({ type: 'release', worker: 'worker' })).alive, true);
    assert.equal(await beat(store, 'worker'), false);
  });

  test('counts a lease from the last heartbeat on', async (bench) => {
    const { store } = bench;
    await beat(store, 'worker');
    for (let beats = 0; beats < 3; beats += 1) {
      await bench.advance(leaseMs - 1);
      assert.equal(await beat(store, 'worker'), true);
    }
    assert.equal(await beat(store, 'worker', 100), true);
    await bench.advance(101);
    assert.equal(await beat(store, 'worker'), false);
  });

  test('gives nothing to a worker whose lease has ended', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now() });
    const due = { type: 'due', worker: 'worker', graphs: [{ name: 'graph' }], limit: 1 } as const;
    assert.deepEqual(await store.claim(due), { claimed: [], alive: false });
    await beat(store, 'worker');
    await bench.advance(leaseMs + 1);
    assert.deepEqual(await store.claim(due), { claimed: [], alive: false });
    assert.equal(await take(store, 'worker'), undefined);
    assert.equal((await headerOf(store, 'run')).fence, 0);
  });
}

function takeoverTests(test: Test): void {
  test('keeps a run from others while its worker lives', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now() });
    await beat(store, 'first');
    assert.equal(await take(store, 'first'), 1);
    await bench.advance(leaseMs - 1);
    await beat(store, 'second');
    assert.equal(await take(store, 'second'), undefined);
    const due = { type: 'due', worker: 'second', graphs: [{ name: 'graph' }], limit: 1 } as const;
    assert.deepEqual((await store.claim(due)).claimed, []);
  });

  test('gives a run that its own worker holds to nobody, itself included', async ({ store }) => {
    await create(store, 'run');
    await beat(store, 'worker');
    assert.equal(await take(store, 'worker'), 1);
    assert.equal(await take(store, 'worker'), undefined);
  });

  test('lets another take over when the lease has ended, and refuses the old owner', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    await beat(store, 'first');
    assert.equal(await take(store, 'first'), 1);
    await bench.advance(leaseMs + 1);
    await commit(store, ownerOf('run', { expect: 1, fence: 1 }));
    await beat(store, 'second');
    assert.equal(await take(store, 'second'), 2);
    await refused(store, 'fence', ownerOf('run', { expect: 2, fence: 1 }));
    await commit(store, ownerOf('run', { expect: 2, fence: 2 }));
    assert.equal((await headerOf(store, 'run')).worker, 'second');
  });

  test('counts every claim until the owner commits', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    for (const count of [1, 2, 3]) {
      await beat(store, `worker-${count}`);
      assert.equal(await take(store, `worker-${count}`), count);
      assert.equal((await headerOf(store, 'run')).claims, count);
      await bench.advance(leaseMs + 1);
    }
    await commit(store, ownerOf('run', { expect: 1, fence: 3 }));
    assert.equal((await headerOf(store, 'run')).claims, 0);
  });
}

function returnTests(test: Test): void {
  test('lets a worker keep its runs when it comes back before anyone took them', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    await beat(store, 'first');
    await take(store, 'first');
    await bench.advance(leaseMs + 1);
    await beat(store, 'first');
    await beat(store, 'second');
    assert.equal(await take(store, 'second'), undefined);
    await commit(store, ownerOf('run', { expect: 1, fence: 1 }));
  });

  test('holds a new run for its creator from the first record on', async ({ store }) => {
    await beat(store, 'creator');
    await beat(store, 'second');
    await create(store, 'run', { worker: 'creator' });
    await create(store, 'left', { worker: 'dead' });
    assert.equal(await take(store, 'second'), undefined);
    assert.equal(await take(store, 'second', 'left'), 2);
  });
}

function releaseTests(test: Test): void {
  test('lets go of the named runs and of no other', async ({ store }) => {
    for (const worker of ['first', 'second']) await beat(store, worker);
    for (const runId of ['a', 'b', 'c']) await create(store, runId, { worker: 'first' });
    await create(store, 'd', { worker: 'third' });
    await beat(store, 'third');
    await store.claim({ type: 'release', worker: 'first', runs: ['a', 'b', 'd', 'nobody'] });
    const workers = [];
    for (const runId of ['a', 'b', 'c', 'd']) workers.push((await headerOf(store, runId)).worker);
    assert.deepEqual(workers, [null, null, 'first', 'third']);
    assert.equal(await take(store, 'second', 'a'), 2);
    assert.equal(await take(store, 'second', 'c'), undefined);
    assert.equal(await beat(store, 'first'), true);
  });

  test('lets go of all runs and of the lease', async ({ store }) => {
    for (const worker of ['first', 'second', 'third']) await beat(store, worker);
    for (const runId of ['a', 'b']) await create(store, runId, { worker: 'first' });
    await create(store, 'c', { worker: 'third' });
    await store.claim({ type: 'release', worker: 'first' });
    assert.deepEqual([await take(store, 'second', 'a'), await take(store, 'second', 'b')], [2, 2]);
    assert.equal(await take(store, 'second', 'c'), undefined);
    assert.equal(await beat(store, 'first'), false);
  });

  test('changes neither fence nor claims nor anything else when it lets go', async ({ store }) => {
    await beat(store, 'worker');
    await create(store, 'run');
    await take(store, 'worker');
    const before = await headerOf(store, 'run');
    await store.claim({ type: 'release', worker: 'worker', runs: ['run'] });
    assert.deepEqual(await headerOf(store, 'run'), { ...before, worker: null });
  });

  test('leaves runs alone that another has taken over', async (bench) => {
    const { store } = bench;
    await create(store, 'run');
    await beat(store, 'first');
    await take(store, 'first');
    await bench.advance(leaseMs + 1);
    await beat(store, 'second');
    await take(store, 'second');
    await store.claim({ type: 'release', worker: 'first' });
    assert.equal((await headerOf(store, 'run')).worker, 'second');
  });
}
