import assert from 'node:assert/strict';
import type { Commit } from '../../../store/check/check-commit.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import type { Contract } from '../contract.ts';
import {
  allOf,
  commit,
  create,
  creationOf,
  externalWriteOf,
  headerOf,
  journalWriteOf,
  note,
  notes,
  ownerOf,
  refused,
  seqsOf,
  snapshotOf,
  snapshotsOf,
  trimAll,
} from '../given.ts';
import { batchOf } from './seal-batch.ts';

/** What a commit that creates a run promises. */
export function createContract({ describe, test }: Contract): void {
  describe('commit() of a new run', () => {
    newRunTests(test);
    existingRunTests(test);
    forkTests(test);
    baseTests(test);
    journalBaseTests(test);
  });
}

type Test = Contract['test'];

function newRunTests(test: Test): void {
  test('gives it the header that was asked for', async ({ store, driver }) => {
    const state = {
      status: 'waiting',
      superstep: 2,
      frontier: ['a'],
      waits: [],
      wakeAt: 4_000,
      tags: { k: 'v' },
    } as const;
    const fixed = { graph: 'flow', version: 7, parentId: 'mother', createdAt: 1_234, worker: 'worker' };
    const creation = creationOf('run', { ...state, ...fixed, entries: notes(2) });
    assert.deepEqual(await driver.commit([batchOf(creation, { token: 'first', at: 1_300 })]), [{ ok: true }]);
    const expected: RunHeader = {
      ...state,
      ...fixed,
      runId: 'run',
      kind: 'graph',
      forkedAt: null,
      head: 2,
      floor: 0,
      updatedAt: 1_300,
      fence: 1,
      epoch: 0,
      claims: 0,
      hidden: false,
      refusals: [],
    };
    assert.deepEqual(await headerOf(store, 'run'), expected);
  });

  test('begins with fence 0 where no worker leases it', async ({ store }) => {
    await create(store, 'run', { kind: 'journal' });
    const { fence, worker, kind } = await headerOf(store, 'run');
    assert.deepEqual({ fence, worker, kind }, { fence: 0, worker: null, kind: 'journal' });
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
    await refused(store, 'exists', creationOf('run', { forkedAt: { runId: 'nobody', seq: 3 } }));
  });

  test('refuses the id of a hidden run', async ({ store }) => {
    await create(store, 'run');
    await trimAll(store, { runId: 'run', hide: { keepTo: 1 } });
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
    await trimAll(store, { runId: 'run', floor: 2 });
    await trimAll(store, { runId: 'run', remove: true });
    await create(store, 'run');
    const { head, floor, fence, worker, claims } = await headerOf(store, 'run');
    assert.deepEqual({ head, floor, fence, worker, claims }, { head: 1, floor: 0, fence: 0, worker: null, claims: 0 });
    assert.deepEqual(await seqsOf(store, 'run'), [1]);
    assert.deepEqual(await snapshotsOf(store, 'run'), []);
    assert.deepEqual(await store.ids({ runId: 'run', id: 'chosen', limit: 1 }), []);
  });
}

function forkTests(test: Test): void {
  test('lets a fork continue after its base', async ({ store }) => {
    await create(store, 'base', { entries: notes(5), snapshot: snapshotOf(5) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 3 }, entries: notes(2) });
    const { head, forkedAt, floor } = await headerOf(store, 'fork');
    assert.deepEqual({ head, forkedAt, floor }, { head: 5, forkedAt: { runId: 'base', seq: 3 }, floor: 0 });
    assert.deepEqual(await seqsOf(store, 'fork'), [4, 5]);
    assert.deepEqual(await snapshotsOf(store, 'fork'), []);
    await commit(store, externalWriteOf('fork', { expect: 5 }));
    assert.deepEqual(await seqsOf(store, 'fork'), [4, 5, 6]);
    assert.deepEqual(await seqsOf(store, 'base'), [1, 2, 3, 4, 5]);
  });

  test('lets a fork stand on a fork', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 }, entries: notes(2) });
    await create(store, 'second', { forkedAt: { runId: 'fork', seq: 3 } });
    assert.deepEqual(await seqsOf(store, 'second'), [4]);
  });

  test('lets the base continue and be forked again at the same place', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await create(store, 'one', { forkedAt: { runId: 'base', seq: 2 } });
    await commit(store, externalWriteOf('base', { expect: 2 }));
    await create(store, 'two', { forkedAt: { runId: 'base', seq: 2 } });
    assert.deepEqual(await seqsOf(store, 'base'), [1, 2, 3]);
  });
}

function forkAt(runId: string, seq: number): Commit {
  return creationOf('fork', { forkedAt: { runId, seq } });
}

function baseTests(test: Test): void {
  test('refuses a base that is missing', async ({ store }) => {
    assert.equal(await refused(store, 'base', forkAt('nobody', 1)), undefined);
    assert.deepEqual(await store.runs({ runIds: ['fork'], order: 'oldest', limit: 1 }), []);
  });

  test('refuses a base past the head, and takes the head', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await refused(store, 'base', forkAt('base', 3));
    await commit(store, forkAt('base', 2));
  });

  test('refuses a base below the floor, and takes the floor', async ({ store }) => {
    await create(store, 'base', { entries: notes(5) });
    await trimAll(store, { runId: 'base', floor: 3, snapshot: { head: null, body: null } });
    await refused(store, 'base', forkAt('base', 2));
    await commit(store, forkAt('base', 3));
  });

  test('takes a base that is hidden, as far as it goes', async ({ store }) => {
    await create(store, 'base', { entries: notes(4) });
    await trimAll(store, { runId: 'base', hide: { keepTo: 2 } });
    await refused(store, 'base', forkAt('base', 3));
    await commit(store, forkAt('base', 2));
  });

  test('refuses a base that is not a record of the named run itself', async ({ store }) => {
    await create(store, 'first', { entries: notes(3) });
    await create(store, 'base', { forkedAt: { runId: 'first', seq: 2 }, entries: notes(2) });
    await refused(store, 'base', forkAt('base', 1));
    await refused(store, 'base', forkAt('base', 2));
    await refused(store, 'base', forkAt('first', 0));
    await commit(store, forkAt('base', 3));
  });
}

function journalForkAt(seq: number): Commit {
  return creationOf('fork', { kind: 'journal', forkedAt: { runId: 'base', seq } });
}

function journalBaseTests(test: Test): void {
  test('lets a fork of a journal run stand on a snapshot only', async ({ store }) => {
    await create(store, 'base', { kind: 'journal', entries: notes(2), snapshot: snapshotOf(1) });
    await commit(store, journalWriteOf('base', { expect: 2 }));
    await refused(store, 'base', journalForkAt(1));
    await refused(store, 'base', journalForkAt(3));
    await commit(store, journalForkAt(2));
  });

  test('refuses a snapshot of a journal run that was dropped', async ({ store }) => {
    await create(store, 'base', { kind: 'journal', snapshot: snapshotOf(1) });
    await commit(store, journalWriteOf('base', { expect: 1, snapshot: snapshotOf(1) }));
    await trimAll(store, { runId: 'base', drop: [{ covers: 1, seq: 1 }] });
    await refused(store, 'base', journalForkAt(1));
    await commit(store, journalForkAt(2));
  });

  test('refuses the fork and the drop of one snapshot in either order', async ({ store }) => {
    await create(store, 'base', { kind: 'journal', snapshot: snapshotOf(1) });
    const dropped = { runId: 'base', drop: [{ covers: 1, seq: 1 }] };
    const [forked, trimmed] = await Promise.all([store.commit(journalForkAt(1)), trimAll(store, dropped)]);
    assert.equal(forked.ok !== trimmed.ok, true, 'exactly one of the two happens');
  });

  test('needs no snapshot for the fork of a graph run', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await commit(store, creationOf('fork', { forkedAt: { runId: 'base', seq: 1 } }));
  });
}
