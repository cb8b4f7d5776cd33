import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { SnapshotKey } from '../../../store/contract/commit.ts';
import type { SnapshotQuery } from '../../../store/contract/read.ts';
import { compareSnapshots } from '../../../store/snapshot-order.ts';
import type { Contract } from '../contract.ts';
import { commit, create, journalWriteOf, notes, ownerOf, snapshotOf, snapshotsOf, trimAll } from '../given.ts';

/** What reading snapshots promises. */
export function snapshotsContract({ describe, test }: Contract): void {
  describe('snapshots()', () => {
    orderTests(test);
    contentTests(test);
  });
}

type Test = Contract['test'];

/** A journal run whose snapshots were saved in another order than that of what they cover. */
async function createJournalRun(store: CheckedStore): Promise<readonly SnapshotKey[]> {
  const covers = [0, 2, 1, 4, 2, 5, 2];
  await create(store, 'loop', { kind: 'journal', snapshot: snapshotOf(0) });
  for (const [at, covered] of covers.entries()) {
    if (at > 0) await commit(store, journalWriteOf('loop', { expect: at, snapshot: snapshotOf(covered) }));
  }
  return covers.map((covered, at) => ({ covers: covered, seq: at + 1 })).toSorted((a, b) => compareSnapshots(b, a));
}

function orderTests(test: Test): void {
  test('gives the one that covers most first, and of those that cover as much the later one', async ({ store }) => {
    await createJournalRun(store);
    assert.deepEqual(await snapshotsOf(store, 'loop'), ['5/6', '4/4', '2/7', '2/5', '2/2', '1/3', '0/1']);
  });

  test('gives those that cover at most so much, and those before one, up to the limit', async ({ store }) => {
    const all = await createJournalRun(store);
    for (const query of everyQuery(all)) {
      const { covers = 99, before, limit } = query;
      const expected = all
        .filter((key) => key.covers <= covers && (before === undefined || compareSnapshots(key, before) < 0))
        .slice(0, limit);
      const found = await store.snapshots(query);
      assert.deepEqual(
        found.map((snapshot) => ({ covers: snapshot.covers, seq: snapshot.seq })),
        expected,
        JSON.stringify(query),
      );
    }
  });

  test('gives nothing of a run that is not there or has none', async ({ store }) => {
    await create(store, 'run');
    assert.deepEqual(await snapshotsOf(store, 'run'), []);
    assert.deepEqual(await snapshotsOf(store, 'nobody'), []);
  });
}

function everyQuery(all: readonly SnapshotKey[]): readonly SnapshotQuery[] {
  const queries: SnapshotQuery[] = [];
  const places = [undefined, ...all, { covers: 2, seq: 6 }, { covers: 3, seq: 0 }, { covers: 9, seq: 0 }];
  for (const covers of [undefined, 0, 1, 2, 3, 5, 9]) {
    for (const before of places) {
      for (const limit of [1, 2, 1_000]) queries.push({ runId: 'loop', covers, before, limit, bodies: false });
    }
  }
  return queries;
}

function contentTests(test: Test): void {
  test('gives head and body of each', async ({ store }) => {
    await create(store, 'run', {
      entries: notes(3),
      snapshot: { covers: 3, head: { step: 1 }, body: { state: [1, 2] } },
    });
    const found = await store.snapshots({ runId: 'run', limit: 9, bodies: true });
    assert.deepEqual(found, [{ ok: true, covers: 3, seq: 3, head: { step: 1 }, body: { state: [1, 2] } }]);
  });

  test('leaves the bodies out where they are not asked for', async ({ store, driver }) => {
    await create(store, 'run', { snapshot: snapshotOf(1) });
    const [found] = await driver.snapshots({ runId: 'run', limit: 9, bodies: false });
    assert.equal(found?.body, undefined);
    const [opened] = await store.snapshots({ runId: 'run', limit: 9, bodies: false });
    assert.deepEqual(opened?.ok === true && opened.head, { label: 'of 1' });
  });

  test('gives only those of the run itself, not those of its base', async ({ store }) => {
    await create(store, 'base', { entries: notes(2), snapshot: snapshotOf(2) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 }, worker: 'worker' });
    await commit(store, ownerOf('fork', { expect: 3, fence: 1, snapshot: snapshotOf(4) }));
    assert.deepEqual(await snapshotsOf(store, 'fork'), ['4/4']);
    assert.deepEqual(await snapshotsOf(store, 'base'), ['2/2']);
  });

  test('gives those of a hidden run, which forks read', async ({ store }) => {
    await create(store, 'base', { entries: notes(2), snapshot: snapshotOf(2) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 } });
    await trimAll(store, { runId: 'base', hide: { keepTo: 2 } });
    assert.deepEqual(await snapshotsOf(store, 'base'), ['2/2']);
  });
}
