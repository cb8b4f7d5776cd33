import assert from 'node:assert/strict';
import type { Commit } from '../../store/check/check-commit.ts';
import type { RunHeader } from '../../store/contract.ts';
import type { Contract } from './contract.ts';
import {
  allOf,
  commit,
  create,
  creationOf,
  guestOf,
  headerOf,
  loopOf,
  note,
  notes,
  ownerOf,
  refused,
  seqsOf,
  snapshotOf,
  snapshotsOf,
} from './given.ts';
import { batchOf } from './seal-batch.ts';

/** What a commit that creates a run promises. */
export function createContract({ describe, test }: Contract): void {
  describe('commit() of a new run', () => {
    newRunTests(test);
    existingRunTests(test);
    forkTests(test);
    baseTests(test);
    loopBaseTests(test);
  });
}

type Test = Contract['test'];

function newRunTests(test: Test): void {
  test('gives it the header that was asked for', async ({ store, driver }) => {
    const state = { status: 'waiting', step: 2, frontier: ['a'], waits: [], wakeAt: 4_000, tags: { k: 'v' } } as const;
    const fixed = { graph: 'flow', version: 7, parent: 'mother', createdAt: 1_234, worker: 'worker' };
    const creation = creationOf('run', { ...state, ...fixed, entries: notes(2) });
    assert.deepEqual(await driver.commit([batchOf(creation, { token: 'first', at: 1_300 })]), [{ ok: true }]);
    const expected: RunHeader = {
      ...state,
      ...fixed,
      run: 'run',
      loop: false,
      base: null,
      head: 2,
      floor: 0,
      updatedAt: 1_300,
      fence: 1,
      claims: 0,
      hidden: false,
      token: 'first',
    };
    assert.deepEqual(await headerOf(store, 'run'), expected);
  });

  test('begins with fence 0 where no worker holds it', async ({ store }) => {
    await create(store, 'run', { loop: true });
    const { fence, worker, loop } = await headerOf(store, 'run');
    assert.deepEqual({ fence, worker, loop }, { fence: 0, worker: null, loop: true });
  });
}

function existingRunTests(test: Test): void {
  test('refuses a run that exists, and leaves it as it is', async ({ store }) => {
    await create(store, 'run', { tags: { first: 'yes' } });
    const before = await allOf(store, 'run');
    const found = await refused(store, 'exists', creationOf('run', { tags: { second: 'yes' }, entries: notes(3) }));
    assert.deepEqual(found, await headerOf(store, 'run'));
    assert.deepEqual(await allOf(store, 'run'), before);
  });

  test('refuses a run that exists also when its base cannot be stood on', async ({ store }) => {
    await create(store, 'run');
    await refused(store, 'exists', creationOf('run', { base: { run: 'nobody', seq: 3 } }));
  });

  test('refuses the id of a hidden run', async ({ store }) => {
    await create(store, 'run');
    await store.trim({ run: 'run', hide: { keepTo: 1 } });
    assert.equal((await refused(store, 'exists', creationOf('run')))?.hidden, true);
  });

  test('lets one of many creators win', async ({ store }) => {
    const rivals = Array.from({ length: 20 }, (_, at) => creationOf('run', { tags: { by: String(at) } }));
    const outcomes = await Promise.all(rivals.map((rival) => store.commit(rival)));
    assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
    for (const outcome of outcomes) if (!outcome.ok) assert.equal(outcome.why, 'exists');
    assert.equal((await headerOf(store, 'run')).tags['by'], String(outcomes.findIndex(({ ok }) => ok)));
  });

  test('begins anew where a run was removed', async ({ store }) => {
    await create(store, 'run', { worker: 'w', entries: [note(1, 'chosen'), note(2)], snapshot: snapshotOf(2) });
    await commit(store, ownerOf('run', { expect: 2, fence: 1, snapshot: snapshotOf(3) }));
    await store.trim({ run: 'run', floor: 2 });
    await store.trim({ run: 'run', remove: true });
    await create(store, 'run');
    const { head, floor, fence, worker, claims } = await headerOf(store, 'run');
    assert.deepEqual({ head, floor, fence, worker, claims }, { head: 1, floor: 0, fence: 0, worker: null, claims: 0 });
    assert.deepEqual(await seqsOf(store, 'run'), [1]);
    assert.deepEqual(await snapshotsOf(store, 'run'), []);
    assert.deepEqual(await store.records({ run: 'run', id: 'chosen', order: 'oldest', limit: 1 }), []);
  });
}

function forkTests(test: Test): void {
  test('lets a fork go on after its base', async ({ store }) => {
    await create(store, 'base', { entries: notes(5), snapshot: snapshotOf(5) });
    await create(store, 'fork', { base: { run: 'base', seq: 3 }, entries: notes(2) });
    const { head, base, floor } = await headerOf(store, 'fork');
    assert.deepEqual({ head, base, floor }, { head: 5, base: { run: 'base', seq: 3 }, floor: 0 });
    assert.deepEqual(await seqsOf(store, 'fork'), [4, 5]);
    assert.deepEqual(await snapshotsOf(store, 'fork'), []);
    await commit(store, guestOf('fork', { expect: 5 }));
    assert.deepEqual(await seqsOf(store, 'fork'), [4, 5, 6]);
    assert.deepEqual(await seqsOf(store, 'base'), [1, 2, 3, 4, 5]);
  });

  test('lets a fork stand on a fork', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await create(store, 'fork', { base: { run: 'base', seq: 2 }, entries: notes(2) });
    await create(store, 'second', { base: { run: 'fork', seq: 3 } });
    assert.deepEqual(await seqsOf(store, 'second'), [4]);
  });

  test('lets the base go on and be forked again at the same place', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await create(store, 'one', { base: { run: 'base', seq: 2 } });
    await commit(store, guestOf('base', { expect: 2 }));
    await create(store, 'two', { base: { run: 'base', seq: 2 } });
    assert.deepEqual(await seqsOf(store, 'base'), [1, 2, 3]);
  });
}

function forkAt(run: string, seq: number): Commit {
  return creationOf('fork', { base: { run, seq } });
}

function baseTests(test: Test): void {
  test('refuses a base that is missing', async ({ store }) => {
    assert.equal(await refused(store, 'base', forkAt('nobody', 1)), undefined);
    assert.deepEqual(await store.runs({ run: 'fork', order: 'oldest', limit: 1 }), []);
  });

  test('refuses a base past the head, and takes the head', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await refused(store, 'base', forkAt('base', 3));
    await commit(store, forkAt('base', 2));
  });

  test('refuses a base below the floor, and takes the floor', async ({ store }) => {
    await create(store, 'base', { entries: notes(5) });
    await store.trim({ run: 'base', floor: 3, snapshot: { head: null, body: null } });
    await refused(store, 'base', forkAt('base', 2));
    await commit(store, forkAt('base', 3));
  });

  test('refuses a base that is hidden', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await store.trim({ run: 'base', hide: { keepTo: 2 } });
    await refused(store, 'base', forkAt('base', 2));
  });

  test('refuses a base that is not a record of the named run itself', async ({ store }) => {
    await create(store, 'first', { entries: notes(3) });
    await create(store, 'base', { base: { run: 'first', seq: 2 }, entries: notes(2) });
    await refused(store, 'base', forkAt('base', 1));
    await refused(store, 'base', forkAt('base', 2));
    await refused(store, 'base', forkAt('first', 0));
    await commit(store, forkAt('base', 3));
  });
}

function loopForkAt(seq: number): Commit {
  return creationOf('fork', { loop: true, base: { run: 'base', seq } });
}

function loopBaseTests(test: Test): void {
  test('lets a fork of an own loop stand on a snapshot only', async ({ store }) => {
    await create(store, 'base', { loop: true, entries: notes(2), snapshot: snapshotOf(1) });
    await commit(store, loopOf('base', { expect: 2 }));
    await refused(store, 'base', loopForkAt(1));
    await refused(store, 'base', loopForkAt(3));
    await commit(store, loopForkAt(2));
  });

  test('refuses a snapshot of an own loop that was dropped', async ({ store }) => {
    await create(store, 'base', { loop: true, snapshot: snapshotOf(1) });
    await commit(store, loopOf('base', { expect: 1, snapshot: snapshotOf(1) }));
    await store.trim({ run: 'base', drop: [{ covers: 1, seq: 1 }] });
    await refused(store, 'base', loopForkAt(1));
    await commit(store, loopForkAt(2));
  });

  test('refuses the fork and the drop of one snapshot in either order', async ({ store }) => {
    await create(store, 'base', { loop: true, snapshot: snapshotOf(1) });
    const dropped = { run: 'base', drop: [{ covers: 1, seq: 1 }] };
    const [forked, trimmed] = await Promise.all([store.commit(loopForkAt(1)), store.trim(dropped)]);
    assert.equal(forked.ok !== trimmed.ok, true, 'exactly one of the two happens');
  });

  test('needs no snapshot for the fork of an engine run', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await commit(store, creationOf('fork', { base: { run: 'base', seq: 1 } }));
  });
}
