import assert from 'node:assert/strict';
import type { Trim } from '../../../store/check/check-request.ts';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { Contract } from '../contract.ts';
import {
  allOf,
  commit,
  create,
  creationOf,
  journalWriteOf,
  notes,
  snapshotOf,
  snapshotsOf,
  trimAll,
} from '../given.ts';

type Test = Contract['test'];

const given = { head: 'head', body: 'body' };

async function trimmed(store: CheckedStore, plan: Omit<Trim, 'runId'>): Promise<string> {
  const result = await trimAll(store, { runId: 'base', ...plan });
  return result.ok ? 'ok' : result.why;
}

/** What a plan may not take from under a fork. */
export function forkGuardTests(test: Test): void {
  engineForkTests(test);
  journalForkTests(test);
  raceTests(test);
}

function engineForkTests(test: Test): void {
  test('lets the floor rise to the lowest base of a fork and no further', async ({ store }) => {
    await create(store, 'base', { entries: notes(6) });
    await create(store, 'high', { forkedAt: { runId: 'base', seq: 5 } });
    await create(store, 'low', { forkedAt: { runId: 'base', seq: 3 } });
    const before = await allOf(store, 'base');
    assert.equal(await trimmed(store, { floor: 4, snapshot: given }), 'forks');
    assert.deepEqual(await allOf(store, 'base'), before);
    assert.equal(await trimmed(store, { floor: 3, snapshot: given }), 'ok');
    await trimAll(store, { runId: 'low', remove: true });
    assert.equal(await trimmed(store, { floor: 5, snapshot: given }), 'ok');
  });

  test('tells of the forks before the floor', async ({ store }) => {
    await create(store, 'base', { entries: notes(6) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 3 } });
    assert.equal(await trimmed(store, { floor: 4 }), 'forks');
    assert.equal(await trimmed(store, { floor: 9, snapshot: given }), 'forks');
    assert.equal(await trimmed(store, { floor: 2 }), 'floor');
  });

  test('keeps what a fork stands on when the run is hidden', async ({ store }) => {
    await create(store, 'base', { entries: notes(6) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 3 } });
    const before = await allOf(store, 'base');
    assert.equal(await trimmed(store, { hide: { keepTo: 2 } }), 'forks');
    assert.deepEqual(await allOf(store, 'base'), before);
    assert.equal(await trimmed(store, { hide: { keepTo: 3 } }), 'ok');
  });

  test('removes no run that a fork stands on, hidden forks included', async ({ store }) => {
    await create(store, 'base', { entries: notes(2) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 } });
    await create(store, 'leaf', { forkedAt: { runId: 'fork', seq: 3 } });
    assert.equal(await trimmed(store, { remove: true }), 'forks');
    await trimAll(store, { runId: 'fork', hide: { keepTo: 3 } });
    assert.equal(await trimmed(store, { remove: true }), 'forks');
    await trimAll(store, { runId: 'leaf', remove: true });
    await trimAll(store, { runId: 'fork', remove: true });
    assert.equal(await trimmed(store, { remove: true }), 'ok');
  });

  test('drops any snapshot of a graph run, whose forks read the journal', async ({ store }) => {
    await create(store, 'base', { entries: notes(2), snapshot: snapshotOf(2) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 } });
    assert.equal(await trimmed(store, { drop: [{ covers: 2, seq: 2 }] }), 'ok');
    assert.deepEqual(await snapshotsOf(store, 'base'), []);
  });
}

async function createJournalRun(store: CheckedStore): Promise<void> {
  await create(store, 'base', { kind: 'journal', snapshot: snapshotOf(1) });
  for (const expect of [1, 2, 3]) await commit(store, journalWriteOf('base', { expect, snapshot: snapshotOf(1) }));
  await create(store, 'fork', { kind: 'journal', forkedAt: { runId: 'base', seq: 3 } });
}

function journalForkTests(test: Test): void {
  test('keeps the snapshot of a journal run that a fork stands on', async ({ store }) => {
    await createJournalRun(store);
    const before = await allOf(store, 'base');
    const drop = [
      { covers: 1, seq: 2 },
      { covers: 1, seq: 3 },
    ];
    assert.equal(await trimmed(store, { drop }), 'forks');
    assert.deepEqual(await allOf(store, 'base'), before);
    assert.equal(await trimmed(store, { drop: [{ covers: 2, seq: 3 }, ...drop.slice(0, 1)] }), 'ok');
    assert.deepEqual(await snapshotsOf(store, 'base'), ['1/4', '1/3', '1/1']);
  });

  test('keeps it also from a floor that it does not reach', async ({ store }) => {
    await createJournalRun(store);
    const before = await allOf(store, 'base');
    assert.equal(await trimmed(store, { floor: 2, snapshot: given }), 'forks');
    assert.deepEqual(await allOf(store, 'base'), before);
    assert.equal(await trimmed(store, { floor: 1 }), 'ok');
  });

  test('lets it go with the last fork', async ({ store }) => {
    await createJournalRun(store);
    await trimAll(store, { runId: 'fork', remove: true });
    assert.equal(await trimmed(store, { drop: [{ covers: 1, seq: 3 }] }), 'ok');
  });
}

function raceTests(test: Test): void {
  test('never both forks a run and trims what the fork stands on', async ({ store }) => {
    const plans: readonly Omit<Trim, 'runId'>[] = [
      { floor: 3, snapshot: given },
      { hide: { keepTo: 1 } },
      { remove: true },
    ];
    for (const [at, plan] of plans.entries()) {
      const base = `base-${at}`;
      await create(store, base, { entries: notes(4) });
      const fork = creationOf(`fork-${at}`, { forkedAt: { runId: base, seq: 2 } });
      const [forked, result] = await Promise.all([store.commit(fork), trimAll(store, { runId: base, ...plan })]);
      assert.equal(forked.ok !== result.ok, true, 'exactly one of the two happens');
      if (!forked.ok) assert.equal(forked.why, 'base');
      if (!result.ok) assert.equal(result.why, 'forks');
    }
  });
}
