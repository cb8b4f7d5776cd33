import assert from 'node:assert/strict';
import type { Commit } from '../../../store/check/check-commit.ts';
import type { CopyPart } from '../../../store/contract/commit.ts';
import type { Contract } from '../contract.ts';
import {
  allOf,
  type CommitParts,
  type CreateParts,
  claimDue,
  claimOne,
  commit,
  create,
  creationOf,
  externalWriteOf,
  headerOf,
  idsOf,
  notes,
  refused,
  seqsOf,
  snapshotOf,
  snapshotsOf,
  trimAll,
} from '../given.ts';

/** What the parts of a copy promise: a run comes from elsewhere piece by piece, and is seen when it is whole. */
export function copyContract({ describe, test }: Contract): void {
  describe('commit() of a part of a copy', () => {
    draftTests(test);
    wholeTests(test);
    floorTests(test);
    baseTests(test);
    hiddenTests(test);
    crashTests(test);
  });
}

type Test = Contract['test'];
type End = CopyPart['end'];

interface FirstPart extends CreateParts {
  readonly floor?: number;
  readonly end?: End;
}

/** The part that creates the copy. */
function firstPart(runId: string, { floor = 0, end = null, ...parts }: FirstPart = {}): Commit {
  const { writer, expect, ...rest } = creationOf(runId, parts);
  if (writer.by !== 'creator') throw new Error('a creation is by a creator');
  return { ...rest, expect: Math.max(expect, floor), writer: { by: 'copier', of: writer.of, floor, end, at: 7_000 } };
}

/** A part that continues with it. */
function nextPart(runId: string, { end = null, ...parts }: CommitParts & { readonly end?: End }): Commit {
  return { runId, writer: { by: 'copier', of: null, floor: 0, end, at: 8_000 }, entries: [], ...parts };
}

function draftTests(test: Test): void {
  test('keeps the run a draft: hidden, and nobody else writes to it', async ({ store }) => {
    await commit(store, firstPart('run', { entries: notes(2), wakeAt: 0 }));
    const { hidden, draft, head } = await headerOf(store, 'run');
    assert.deepEqual({ hidden, draft, head }, { hidden: true, draft: true, head: 2 });
    assert.equal(await store.header('run'), undefined);
    assert.deepEqual(await idsOf(store), []);
    assert.deepEqual(await idsOf(store, { hidden: true }), ['run']);
    await refused(store, 'missing', externalWriteOf('run', { expect: 2 }));
    await refused(store, 'exists', creationOf('run'));
    await refused(store, 'base', creationOf('fork', { forkedAt: { runId: 'run', seq: 2 } }));
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2]);
  });

  test('keeps a draft from being claimed', async ({ store }) => {
    await commit(store, firstPart('run', { wakeAt: 0 }));
    assert.deepEqual((await claimDue(store, 'w')).claimed, []);
    assert.deepEqual((await claimOne(store, 'w', 'run')).claimed, []);
  });

  test('refuses a part at another head, for a run that is not there, and for one that is seen', async ({ store }) => {
    await commit(store, firstPart('run', { entries: notes(2) }));
    await refused(store, 'head', nextPart('run', { expect: 1 }));
    await refused(store, 'exists', firstPart('run'));
    await refused(store, 'missing', nextPart('nobody', { expect: 0 }));
    await create(store, 'seen');
    const before = await allOf(store, 'seen');
    await refused(store, 'missing', nextPart('seen', { expect: 1 }));
    assert.deepEqual(await allOf(store, 'seen'), before);
  });

  test('lets a draft be removed', async ({ store }) => {
    await commit(store, firstPart('run', { entries: notes(2), snapshot: snapshotOf(2) }));
    assert.equal((await trimAll(store, { runId: 'run', remove: true })).ok, true);
    assert.deepEqual(await idsOf(store, { hidden: true }), []);
    await commit(store, firstPart('run', { end: 'seen' }));
    assert.deepEqual(await idsOf(store), ['run']);
  });
}

function wholeTests(test: Test): void {
  test('shows the run with the last part, as that one says', async ({ store }) => {
    const header = {
      status: 'waiting',
      superstep: 3,
      frontier: ['a'],
      waits: [],
      wakeAt: 9_000,
      tags: { k: 'v' },
    } as const;
    await commit(store, firstPart('run', { entries: notes(2), tags: { old: 'tag' } }));
    await commit(store, nextPart('run', { expect: 2, entries: notes(1) }));
    await commit(store, nextPart('run', { expect: 3, header, end: 'seen' }));
    const { draft, hidden, head, updatedAt, createdAt, fence, worker, ...found } = await headerOf(store, 'run');
    assert.deepEqual({ draft, hidden, head }, { draft: undefined, hidden: false, head: 3 });
    assert.deepEqual(
      { updatedAt, createdAt, fence, worker },
      { updatedAt: 8_000, createdAt: 1_000, fence: 0, worker: null },
    );
    for (const [name, value] of Object.entries(header)) assert.deepEqual(found[name as keyof typeof header], value);
    assert.deepEqual(await idsOf(store, { tags: { k: 'v' } }), ['run']);
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2, 3]);
    await commit(store, externalWriteOf('run', { expect: 3 }));
  });

  test('takes a whole run in one part', async ({ store }) => {
    await commit(store, firstPart('run', { entries: notes(3), end: 'seen' }));
    assert.deepEqual(await idsOf(store), ['run']);
    assert.equal((await headerOf(store, 'run')).updatedAt, 7_000);
  });

  test('keeps snapshots at the places that they are given with', async ({ store }) => {
    await commit(
      store,
      firstPart('run', { kind: 'journal', entries: notes(4), snapshot: { ...snapshotOf(1), seq: 2 } }),
    );
    await commit(store, nextPart('run', { expect: 4, snapshot: { ...snapshotOf(2), seq: 3 } }));
    await commit(store, nextPart('run', { expect: 4, end: 'seen' }));
    assert.deepEqual(await snapshotsOf(store, 'run'), ['2/3', '1/2']);
    await commit(store, creationOf('fork', { kind: 'journal', forkedAt: { runId: 'run', seq: 3 } }));
  });

  test('finds the ids that were chosen', async ({ store }) => {
    const entries = [{ kind: 'note', at: 1, id: 'chosen', payload: 1 } as const];
    await commit(store, firstPart('run', { entries, end: 'seen' }));
    const [found] = await store.ids({ runId: 'run', id: 'chosen', limit: 1 });
    assert.equal(found?.seq, 1);
  });
}

function floorTests(test: Test): void {
  test('begins above the floor of a trimmed run', async ({ store }) => {
    await commit(store, firstPart('run', { floor: 5, entries: notes(2), snapshot: { ...snapshotOf(5), seq: 5 } }));
    await commit(store, nextPart('run', { expect: 7, entries: notes(70), end: 'seen' }));
    const { floor, head } = await headerOf(store, 'run');
    assert.deepEqual({ floor, head }, { floor: 5, head: 77 });
    assert.deepEqual((await seqsOf(store, 'run')).slice(0, 3), [6, 7, 8]);
    assert.deepEqual(await snapshotsOf(store, 'run'), ['5/5']);
    await refused(store, 'base', creationOf('below', { forkedAt: { runId: 'run', seq: 4 } }));
    await commit(store, creationOf('fork', { forkedAt: { runId: 'run', seq: 5 } }));
    assert.deepEqual(await trimAll(store, { runId: 'run', floor: 6, snapshot: snapshotOf(6) }), {
      ok: false,
      why: 'forks',
    });
  });

  test('takes a run of which only its floor is left, and lets it continue', async ({ store }) => {
    await commit(
      store,
      firstPart('run', { floor: 5, entries: [], snapshot: { ...snapshotOf(5), seq: 5 }, end: 'seen' }),
    );
    assert.deepEqual(await seqsOf(store, 'run'), []);
    await commit(store, externalWriteOf('run', { expect: 5 }));
    assert.deepEqual(await seqsOf(store, 'run'), [6]);
    const trimmed = await trimAll(store, { runId: 'run', floor: 6, snapshot: snapshotOf(6) });
    assert.equal(trimmed.ok, true);
    assert.deepEqual(await seqsOf(store, 'run'), []);
  });

  test('lets the floor of a fork lie above its base', async ({ store }) => {
    await create(store, 'base', { entries: notes(3) });
    const forkedAt = { runId: 'base', seq: 2 };
    await commit(
      store,
      firstPart('fork', { forkedAt, floor: 6, entries: notes(1), snapshot: { ...snapshotOf(6), seq: 6 } }),
    );
    await commit(store, nextPart('fork', { expect: 7, end: 'seen' }));
    assert.deepEqual(await seqsOf(store, 'fork'), [7]);
    assert.deepEqual(await idsOf(store, { forkOf: 'base' }), ['fork']);
  });
}

function baseTests(test: Test): void {
  test('may stand on a draft, and on a hidden run, as far as they go', async ({ store }) => {
    await commit(store, firstPart('draft', { entries: notes(2) }));
    await refused(store, 'base', firstPart('fork', { forkedAt: { runId: 'draft', seq: 3 } }));
    await commit(store, firstPart('fork', { forkedAt: { runId: 'draft', seq: 2 } }));
    assert.deepEqual(await trimAll(store, { runId: 'draft', remove: true }), { ok: false, why: 'forks' });
    await create(store, 'hidden', { entries: notes(5) });
    await trimAll(store, { runId: 'hidden', hide: { keepTo: 3 } });
    await refused(store, 'base', firstPart('second', { forkedAt: { runId: 'hidden', seq: 4 } }));
    await commit(store, firstPart('second', { forkedAt: { runId: 'hidden', seq: 3 }, end: 'seen' }));
    assert.deepEqual(await idsOf(store), ['second']);
  });
}

function hiddenTests(test: Test): void {
  test('leaves a run hidden that is to be, and continues with it later', async ({ store }) => {
    await commit(store, firstPart('base', { entries: notes(2), end: 'hidden' }));
    assert.equal((await headerOf(store, 'base')).draft, undefined);
    assert.deepEqual(await idsOf(store, { hidden: true }), ['base']);
    await commit(store, firstPart('fork', { forkedAt: { runId: 'base', seq: 2 }, end: 'seen' }));
    await commit(store, nextPart('base', { expect: 2, entries: notes(2) }));
    assert.equal((await headerOf(store, 'base')).draft, true);
    await commit(store, nextPart('base', { expect: 4, end: 'seen' }));
    assert.deepEqual(await idsOf(store), ['base', 'fork']);
    assert.deepEqual(await seqsOf(store, 'base'), [1, 2, 3, 4]);
  });

  test('continues with a deleted run only where nothing past its head was dropped', async ({ store }) => {
    for (const [runId, keepTo] of [
      ['whole', 3],
      ['cut', 2],
    ] as const) {
      await create(store, runId, { entries: notes(3) });
      await create(store, `fork-${runId}`, { forkedAt: { runId, seq: keepTo } });
      await trimAll(store, { runId, hide: { keepTo } });
    }
    await refused(store, 'missing', nextPart('cut', { expect: 3, entries: notes(1) }));
    await commit(store, nextPart('whole', { expect: 3, entries: notes(1), end: 'seen' }));
    assert.deepEqual(await seqsOf(store, 'whole'), [1, 2, 3, 4]);
    assert.deepEqual(await seqsOf(store, 'cut'), [1, 2]);
  });
}

function crashTests(test: Test): void {
  test('is a draft still when the place is opened again, and continues', async (bench) => {
    await commit(
      bench.store,
      firstPart('run', { floor: 4, entries: notes(3), snapshot: { ...snapshotOf(4), seq: 4 } }),
    );
    if (!bench.store.capabilities.reopens) return;
    await bench.crash();
    assert.deepEqual(await idsOf(bench.store), []);
    assert.equal((await headerOf(bench.store, 'run')).draft, true);
    await commit(bench.store, nextPart('run', { expect: 7, entries: notes(1), end: 'seen' }));
    await bench.crash();
    assert.deepEqual(await idsOf(bench.store), ['run']);
    assert.deepEqual(await seqsOf(bench.store, 'run'), [5, 6, 7, 8]);
    assert.deepEqual(await snapshotsOf(bench.store, 'run'), ['4/4']);
  });
}
