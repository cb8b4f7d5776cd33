import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { Contract } from '../contract.ts';
import {
  allOf,
  commit,
  create,
  creationOf,
  externalWriteOf,
  headerOf,
  idsOf,
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
import { forkGuardTests } from './trim-forks.ts';
import { headTests } from './trim-head.ts';
import { counts, createRun, given } from './trimmed-run.ts';

/** What carrying out a retention plan promises. */
export function trimContract({ describe, test }: Contract): void {
  describe('trim()', () => {
    floorTests(test);
    floorRefusalTests(test);
    dropTests(test);
    headTests(test);
    hideTests(test);
    removeTests(test);
    dryRunTests(test);
    piecesTests(test);
    forkGuardTests(test);
  });
}

type Test = Contract['test'];

function floorTests(test: Test): void {
  test('drops records up to the floor and snapshots that cover less', async ({ store }) => {
    await createRun(store);
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 4 })), '4 records, 1 snapshots');
    assert.deepEqual(await seqsOf(store, 'run'), [5, 6]);
    assert.deepEqual(await snapshotsOf(store, 'run'), ['4/4']);
    assert.deepEqual(
      (await store.records({ runId: 'run', before: 6, order: 'newest', limit: 9 })).map(({ seq }) => seq),
      [5],
    );
    assert.deepEqual(
      (await store.records({ runId: 'run', after: 2, order: 'oldest', limit: 1 })).map(({ seq }) => seq),
      [5],
    );
  });

  test('changes nothing of the header but the floor', async ({ store }) => {
    await createRun(store);
    const before = await headerOf(store, 'run');
    await trimAll(store, { runId: 'run', floor: 4 });
    assert.deepEqual(await headerOf(store, 'run'), { ...before, floor: 4 });
  });

  test('writes the snapshot that is given for the floor', async ({ store }) => {
    await createRun(store);
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 3, snapshot: given })), '3 records, 1 snapshots');
    assert.deepEqual(await snapshotsOf(store, 'run'), ['4/4', '3/3']);
    const [found] = await store.snapshots({ runId: 'run', covers: 3, limit: 1, bodies: true });
    assert.deepEqual(found, { ok: true, covers: 3, seq: 3, head: 'head', body: 'body' });
  });

  test('puts a given snapshot in the place of one with the same key', async ({ store }) => {
    await createRun(store);
    await trimAll(store, { runId: 'run', floor: 4, snapshot: given });
    assert.deepEqual(await snapshotsOf(store, 'run'), ['4/4']);
    const [found] = await store.snapshots({ runId: 'run', limit: 1, bodies: true });
    assert.equal(found?.ok === true && found.body, 'body');
  });

  test('leaves the owner its fence and its head', async ({ store }) => {
    await createRun(store);
    await trimAll(store, { runId: 'run', floor: 6, snapshot: given });
    assert.deepEqual(await seqsOf(store, 'run'), []);
    await commit(store, ownerOf('run', { expect: 6, fence: 1, entries: [note('after', 'after-id')] }));
    assert.deepEqual(await seqsOf(store, 'run'), [7]);
    assert.equal((await store.ids({ runId: 'run', id: 'after-id', limit: 1 }))[0]?.seq, 7);
  });

  test('drops nothing when the floor stays where it is', async ({ store }) => {
    await createRun(store);
    await trimAll(store, { runId: 'run', floor: 4 });
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 4 })), '0 records, 0 snapshots');
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 5, snapshot: given })), '1 records, 1 snapshots');
  });
}

function floorRefusalTests(test: Test): void {
  test('refuses a floor without a snapshot there', async ({ store }) => {
    await createRun(store);
    const before = await allOf(store, 'run');
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 3 })), 'floor');
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 3, drop: [{ covers: 2, seq: 2 }] })), 'floor');
    assert.deepEqual(await allOf(store, 'run'), before);
  });

  test('refuses a floor past the head, and takes the head', async ({ store }) => {
    await createRun(store);
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 7, snapshot: given })), 'floor');
    assert.deepEqual(await snapshotsOf(store, 'run'), ['4/4', '2/2']);
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 6, snapshot: given })), '6 records, 2 snapshots');
  });

  test('refuses a floor below the one that there is', async ({ store }) => {
    await createRun(store);
    await trimAll(store, { runId: 'run', floor: 4 });
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 3, snapshot: given })), 'floor');
    assert.deepEqual(await snapshotsOf(store, 'run'), ['4/4']);
  });

  test('refuses a floor below the base of a fork, and takes one in its own part', async ({ store }) => {
    await createRun(store);
    await create(store, 'fork', { forkedAt: { runId: 'run', seq: 4 }, entries: notes(3) });
    assert.equal(counts(await trimAll(store, { runId: 'fork', floor: 3, snapshot: given })), 'floor');
    assert.equal(counts(await trimAll(store, { runId: 'fork', floor: 6, snapshot: given })), '2 records, 0 snapshots');
    assert.deepEqual(await seqsOf(store, 'fork'), [7]);
    assert.deepEqual((await seqsOf(store, 'run')).length, 6);
  });

  test('refuses a run that is not there', async ({ store }) => {
    for (const plan of [{ floor: 1, snapshot: given }, { drop: [] }, { hide: { keepTo: 0 } }, { remove: true }]) {
      assert.deepEqual(await trimAll(store, { runId: 'nobody', ...plan }), { ok: false, why: 'missing' });
    }
    assert.deepEqual(await snapshotsOf(store, 'nobody'), []);
  });
}

function dropTests(test: Test): void {
  test('drops the named snapshots and nothing else', async ({ store }) => {
    await create(store, 'run', { kind: 'journal', snapshot: snapshotOf(1) });
    for (const expect of [1, 2, 3]) await commit(store, journalWriteOf('run', { expect, snapshot: snapshotOf(1) }));
    const before = await headerOf(store, 'run');
    const drop = [
      { covers: 1, seq: 2 },
      { covers: 1, seq: 4 },
      { covers: 2, seq: 3 },
      { covers: 9, seq: 9 },
    ];
    assert.equal(counts(await trimAll(store, { runId: 'run', drop })), '0 records, 2 snapshots');
    assert.deepEqual(await snapshotsOf(store, 'run'), ['1/3', '1/1']);
    assert.deepEqual(await headerOf(store, 'run'), before);
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2, 3, 4]);
  });

  test('drops and raises the floor in one plan', async ({ store }) => {
    await createRun(store);
    const plan = { runId: 'run', floor: 2, drop: [{ covers: 4, seq: 4 }] };
    assert.equal(counts(await trimAll(store, plan)), '2 records, 1 snapshots');
    assert.deepEqual(await snapshotsOf(store, 'run'), ['2/2']);
    assert.deepEqual(await seqsOf(store, 'run'), [3, 4, 5, 6]);
  });

  test('takes an empty plan', async ({ store }) => {
    await createRun(store);
    const before = await allOf(store, 'run');
    assert.equal(counts(await trimAll(store, { runId: 'run', drop: [] })), '0 records, 0 snapshots');
    assert.deepEqual(await allOf(store, 'run'), before);
  });
}

function hideTests(test: Test): void {
  test('hides the run and drops what lies or reaches past the part to keep', async ({ store }) => {
    await create(store, 'run', { kind: 'journal', snapshot: snapshotOf(1) });
    await commit(store, journalWriteOf('run', { expect: 1, entries: notes(2), snapshot: snapshotOf(1) }));
    await commit(store, journalWriteOf('run', { expect: 3, snapshot: snapshotOf(4) }));
    assert.equal(counts(await trimAll(store, { runId: 'run', hide: { keepTo: 2 } })), '2 records, 2 snapshots');
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2]);
    assert.deepEqual(await snapshotsOf(store, 'run'), ['1/1']);
    assert.equal(await store.header('run'), undefined);
  });

  test('raises the fence and releases, and leaves head and time', async ({ store }) => {
    await createRun(store);
    const before = await headerOf(store, 'run');
    await trimAll(store, { runId: 'run', hide: { keepTo: 3 } });
    const { fence, ...rest } = await headerOf(store, 'run');
    assert.equal(fence > before.fence, true);
    assert.deepEqual({ ...rest, fence: before.fence }, { ...before, hidden: true, worker: null });
    await refused(store, 'missing', ownerOf('run', { expect: 6, fence: 1 }));
    await refused(store, 'missing', externalWriteOf('run', { expect: 6 }));
  });

  test('hides a hidden run further, raises its floor and removes it', async ({ store }) => {
    await createRun(store);
    await trimAll(store, { runId: 'run', hide: { keepTo: 5 } });
    assert.equal(counts(await trimAll(store, { runId: 'run', hide: { keepTo: 4 } })), '1 records, 0 snapshots');
    assert.equal(counts(await trimAll(store, { runId: 'run', floor: 2 })), '2 records, 0 snapshots');
    assert.deepEqual(await seqsOf(store, 'run'), [3, 4]);
    assert.equal(counts(await trimAll(store, { runId: 'run', remove: true })), '2 records, 2 snapshots');
    assert.deepEqual(await idsOf(store, { hidden: true }), []);
  });
}

function removeTests(test: Test): void {
  test('removes the run and everything of it', async ({ store }) => {
    await createRun(store);
    await create(store, 'other');
    assert.equal(counts(await trimAll(store, { runId: 'run', remove: true })), '6 records, 2 snapshots');
    assert.deepEqual(await idsOf(store), ['other']);
    assert.deepEqual(await idsOf(store, { runIds: ['run'] }), []);
    assert.deepEqual(await seqsOf(store, 'run'), []);
    assert.deepEqual(await snapshotsOf(store, 'run'), []);
    await refused(store, 'missing', ownerOf('run', { expect: 6, fence: 1 }));
    assert.deepEqual(await trimAll(store, { runId: 'run', remove: true }), { ok: false, why: 'missing' });
  });

  test('keeps the runs apart', async ({ store }) => {
    await createRun(store);
    await create(store, 'run2', { entries: [note(1, 'id')], snapshot: snapshotOf(1) });
    const before = await allOf(store, 'run2');
    await trimAll(store, { runId: 'run', floor: 4 });
    await trimAll(store, { runId: 'run', hide: { keepTo: 5 } });
    await trimAll(store, { runId: 'run', remove: true });
    assert.deepEqual(await allOf(store, 'run2'), before);
  });
}

function dryRunTests(test: Test): void {
  test('counts and checks what it is asked to try, and changes nothing', async ({ store }) => {
    await createRun(store);
    await create(store, 'fork', { forkedAt: { runId: 'run', seq: 5 } });
    const before = await allOf(store, 'run');
    const tried = async (plan: object): Promise<string> =>
      counts(await trimAll(store, { runId: 'run', ...plan, dryRun: true }));
    assert.equal(await tried({ floor: 4 }), '4 records, 1 snapshots');
    assert.equal(await tried({ floor: 3, snapshot: given }), '3 records, 1 snapshots');
    assert.equal(await tried({ floor: 3 }), 'floor');
    assert.equal(await tried({ drop: [{ covers: 4, seq: 4 }] }), '0 records, 1 snapshots');
    assert.equal(await tried({ hide: { keepTo: 5 } }), '1 records, 0 snapshots');
    assert.equal(await tried({ hide: { keepTo: 4 } }), 'forks');
    assert.equal(await tried({ remove: true }), 'forks');
    assert.deepEqual(await allOf(store, 'run'), before);
    assert.equal(counts(await trimAll(store, { runId: 'fork', remove: true, dryRun: true })), '1 records, 0 snapshots');
    assert.deepEqual(await idsOf(store), ['fork', 'run']);
  });
}

/** More than a driver would do in one piece. */
const many = 3_000;

async function createLong(store: CheckedStore): Promise<void> {
  await create(store, 'run', { entries: notes(1_000) });
  for (let head = 1_000; head < many; head += 1_000) {
    await commit(store, externalWriteOf('run', { expect: head, entries: notes(1_000) }));
  }
}

function piecesTests(test: Test): void {
  test('shows all of a large plan with its first piece, and drops the rest with the same plan', async ({ store }) => {
    await createLong(store);
    const plan = { runId: 'run', floor: many - 1, snapshot: given };
    const first = await store.trim(plan);
    assert.equal(first.ok, true);
    assert.equal((await headerOf(store, 'run')).floor, many - 1);
    assert.deepEqual(await seqsOf(store, 'run'), [many]);
    await refused(store, 'base', creationOf('fork', { forkedAt: { runId: 'run', seq: many - 2 } }));
    const rest = first.ok && first.more ? await trimAll(store, plan) : undefined;
    assert.equal((first.ok ? first.records : 0) + (rest?.ok === true ? rest.records : 0), many - 1);
    assert.deepEqual(
      [await seqsOf(store, 'run'), await snapshotsOf(store, 'run')],
      [[many], [`${many - 1}/${many - 1}`]],
    );
  });

  test('hides and removes a long run, and leaves nothing of it behind', async ({ store }) => {
    await createLong(store);
    const hiding = { runId: 'run', hide: { keepTo: 1 } };
    const first = await store.trim(hiding);
    assert.equal(await store.header('run'), undefined);
    assert.deepEqual(await seqsOf(store, 'run'), [1]);
    const rest = first.ok && first.more ? await trimAll(store, hiding) : undefined;
    assert.equal((first.ok ? first.records : 0) + (rest?.ok === true ? rest.records : 0), many - 1);
    assert.equal(counts(await trimAll(store, { runId: 'run', remove: true })), '1 records, 0 snapshots');
    await create(store, 'run');
    assert.deepEqual(await seqsOf(store, 'run'), [1]);
  });

  test('continues with the plan when the place was opened again in between', async (bench) => {
    await createLong(bench.store);
    const plan = { runId: 'run', remove: true };
    const first = await bench.store.trim(plan);
    if (!bench.store.capabilities.reopens) return;
    await bench.crash();
    if (first.ok && first.more) await trimAll(bench.store, plan);
    assert.deepEqual([await idsOf(bench.store), await idsOf(bench.store, { hidden: true })], [[], []]);
    await create(bench.store, 'run');
    assert.deepEqual(await seqsOf(bench.store, 'run'), [1]);
  });
}
