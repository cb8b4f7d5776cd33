import assert from 'node:assert/strict';
import { contentOf } from '../../../record/content-of.ts';
import type { KnownId } from '../../../store/check/known-id.ts';
import type { CheckedStore } from '../../../store/checked-store.ts';
import { hashOfId } from '../../../store/commit/seal-id.ts';
import type { Contract } from '../contract.ts';
import { commit, create, externalWriteOf, note, notes, trimAll } from '../given.ts';

/** What keeping ids promises: a repeat is recognised also after its record is gone. */
export function idsContract({ describe, test }: Contract): void {
  describe('ids()', () => {
    findTests(test);
    listTests(test);
    trimTests(test);
    keepTests(test);
    lineageTests(test);
  });
}

type Test = Contract['test'];

const given = { head: null, body: null };

/** The id of a note, as a store knows it. */
function knownOf(seq: number, payload: unknown, id: string): KnownId {
  return { id: hashOfId(id), seq, at: 1_000, content: contentOf(note(payload, id)) };
}

/** The seq of the record with this id; undefined if the run itself does not know it. */
async function seqOf(store: CheckedStore, id: string, runId = 'run'): Promise<number | undefined> {
  const [found, ...more] = await store.ids({ runId, id, limit: 10 });
  assert.deepEqual(more, []);
  return found?.seq;
}

function findTests(test: Test): void {
  test('finds the id that a user chose, with a hash of its record', async ({ store }) => {
    await create(store, 'run', { entries: [note(1), note(2, 'chosen'), note(3, 'other')] });
    assert.deepEqual(await store.ids({ runId: 'run', id: 'chosen', limit: 1 }), [knownOf(2, 2, 'chosen')]);
    assert.equal(await seqOf(store, 'other'), 3);
  });

  test('compares ids to the letter', async ({ store }) => {
    await create(store, 'run', { entries: [note(1, 'a_b'), note(2, 'Chosen'), note(3, 'x'.repeat(128))] });
    for (const id of ['a.b', 'axb', 'chosen', 'CHOSEN', 'Chose', 'Chosen2', 'x'.repeat(127)]) {
      assert.equal(await seqOf(store, id), undefined, id);
    }
    assert.equal(await seqOf(store, 'x'.repeat(128)), 3);
  });

  test('keeps the ids of each run apart', async ({ store }) => {
    await create(store, 'run', { entries: [note('mine', 'chosen')] });
    await create(store, 'other', { entries: [note(1), note('yours', 'chosen')] });
    assert.deepEqual(
      [await seqOf(store, 'chosen'), await seqOf(store, 'chosen', 'other'), await seqOf(store, 'chosen', 'nobody')],
      [1, 2, undefined],
    );
  });

  test('finds an id only up to the given seq', async ({ store }) => {
    await create(store, 'run', { entries: [note(1), note(2, 'chosen'), note(3)] });
    assert.equal((await store.ids({ runId: 'run', id: 'chosen', upTo: 2, limit: 1 })).length, 1);
    assert.deepEqual(await store.ids({ runId: 'run', id: 'chosen', upTo: 1, limit: 1 }), []);
  });

  test('finds an id of each commit, however many records it has', async ({ store }) => {
    await create(store, 'run');
    await commit(store, externalWriteOf('run', { expect: 1, entries: [note(2, 'two')] }));
    await commit(store, externalWriteOf('run', { expect: 2, entries: [...notes(3), note(6, 'six')] }));
    assert.deepEqual([await seqOf(store, 'two'), await seqOf(store, 'six')], [2, 6]);
  });
}

function listTests(test: Test): void {
  test('lists all ids of a run page by page, each once', async ({ store }) => {
    const names = Array.from({ length: 25 }, (_, at) => `id-${at}`);
    await create(store, 'run', { entries: names.map((name, at) => note(at, name)) });
    await trimAll(store, { runId: 'run', floor: 10, snapshot: given });
    const found: KnownId[] = [];
    for (let after: string | undefined; ; after = found.at(-1)?.id) {
      const page = await store.ids({ runId: 'run', after, limit: 7 });
      found.push(...page);
      if (page.length < 7) break;
    }
    const expected = names.map((name, at) => knownOf(at + 1, at, name)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(found, expected);
    assert.equal((await store.ids({ runId: 'run', upTo: 10, limit: 100 })).length, 10);
  });
}

function trimTests(test: Test): void {
  test('knows an id after its record was trimmed away, until the run is removed', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { entries: [note(1, 'one'), note(2), note(3, 'three'), note(4)] });
    for (const floor of [2, 4]) await trimAll(store, { runId: 'run', floor, snapshot: given });
    assert.deepEqual(await store.records({ runId: 'run', order: 'oldest', limit: 9 }), []);
    assert.deepEqual(await store.ids({ runId: 'run', id: 'one', limit: 1 }), [knownOf(1, 1, 'one')]);
    assert.equal(await seqOf(store, 'three'), 3);
    await trimAll(store, { runId: 'run', remove: true });
    assert.equal(await seqOf(store, 'one'), undefined);
    await create(store, 'run');
    assert.deepEqual(await store.ids({ runId: 'run', limit: 9 }), []);
  });

  test('keeps knowing it after a close and a crash', async (bench) => {
    await create(bench.store, 'run', { entries: [note(1, 'one'), note(2, 'two')] });
    await trimAll(bench.store, { runId: 'run', floor: 1, snapshot: given });
    if (!bench.store.capabilities.reopens) return;
    for (const how of ['reopen', 'crash'] as const) {
      await bench[how]();
      assert.deepEqual([await seqOf(bench.store, 'one'), await seqOf(bench.store, 'two')], [1, 2], how);
    }
  });

  test('drops the ids of records that a hidden run drops', async ({ store }) => {
    await create(store, 'run', { entries: [note(1, 'one'), note(2, 'two'), note(3, 'three')] });
    await trimAll(store, { runId: 'run', floor: 1, snapshot: given });
    await trimAll(store, { runId: 'run', hide: { keepTo: 2 } });
    assert.deepEqual(
      [await seqOf(store, 'one'), await seqOf(store, 'two'), await seqOf(store, 'three')],
      [1, 2, undefined],
    );
  });

  test('forgets the ids of trimmed records that are too old, and no others', async ({ store }) => {
    const entries = [1, 2, 3].map((at) => ({ ...note(at, `id-${at}`), at: 1_000 * at }));
    await create(store, 'run', { entries });
    await trimAll(store, { runId: 'run', floor: 2, snapshot: given, forgetIds: 2_000 });
    const known = async () => Promise.all(entries.map(({ id }) => seqOf(store, String(id))));
    assert.deepEqual(await known(), [undefined, 2, 3]);
    await trimAll(store, { runId: 'run', forgetIds: 9_000, dryRun: true });
    assert.deepEqual(await known(), [undefined, 2, 3]);
    await trimAll(store, { runId: 'run', forgetIds: 9_000 });
    assert.deepEqual(await known(), [undefined, undefined, 3]);
  });
}

function keepTests(test: Test): void {
  test('keeps the ids that a plan brings, of records that the run never had', async (bench) => {
    const { store } = bench;
    await create(store, 'base', { entries: [note(1, 'one'), note(2)] });
    await create(store, 'run', { forkedAt: { runId: 'base', seq: 2 }, entries: [note(3, 'three')] });
    const ids = [knownOf(1, 1, 'one')];
    for (let again = 0; again < 2; again += 1) await trimAll(store, { runId: 'run', ids });
    assert.deepEqual(await store.ids({ runId: 'run', id: 'one', limit: 1 }), ids);
    await trimAll(store, { runId: 'run', floor: 3, snapshot: given });
    assert.deepEqual([await seqOf(store, 'one'), await seqOf(store, 'three')], [1, 3]);
  });
}

function lineageTests(test: Test): void {
  test('load() finds an id in the run and in what it shares with its bases', async ({ store }) => {
    await create(store, 'base', { entries: [note(1, 'one'), note(2, 'two'), note(3, 'three')] });
    await create(store, 'run', { forkedAt: { runId: 'base', seq: 2 }, entries: [note(3, 'own')] });
    await trimAll(store, { runId: 'base', floor: 1, snapshot: given });
    const placeOf = async (id: string, upTo?: number): Promise<string | undefined> => {
      const found = (await store.load({ runId: 'run', limit: 0, id, upTo }))?.id;
      return found && `${found.runId}@${found.value.seq}`;
    };
    assert.deepEqual(
      [await placeOf('one'), await placeOf('two'), await placeOf('three'), await placeOf('own')],
      ['base@1', 'base@2', undefined, 'run@3'],
    );
    assert.deepEqual([await placeOf('own', 2), await placeOf('two', 2)], [undefined, 'base@2']);
    assert.equal((await store.load({ runId: 'run', limit: 10 }))?.id, undefined);
  });
}
