import assert from 'node:assert/strict';
import type { NewEntry } from '../../../record/record.ts';
import type { RecordQuery } from '../../../store/contract/read.ts';
import type { Contract } from '../contract.ts';
import { commit, create, externalWriteOf, note, notes, seqsOf, trimAll } from '../given.ts';

/** What reading records promises. */
export function recordsContract({ describe, test }: Contract): void {
  describe('records()', () => {
    rangeTests(test);
    idTests(test);
    ownRecordsTests(test);
  });
}

type Test = Contract['test'];

function rangeTests(test: Test): void {
  test('gives every range, from either end, up to the limit', async ({ store }) => {
    await create(store, 'run');
    await commit(
      store,
      externalWriteOf('run', { expect: 1, entries: notes(3) }),
      externalWriteOf('run', { expect: 4, entries: notes(2) }),
    );
    const seqs = [1, 2, 3, 4, 5, 6];
    for (const query of everyRange()) {
      const { after = 0, before = 99, order, limit } = query;
      const inside = seqs.filter((seq) => seq > after && seq < before);
      const expected = (order === 'oldest' ? inside : inside.toReversed()).slice(0, limit);
      const found = await store.records(query);
      assert.deepEqual(
        found.map(({ seq }) => seq),
        expected,
        JSON.stringify(query),
      );
    }
  });

  test('gives records of long runs page by page', async ({ store }) => {
    await create(store, 'run', { entries: notes(100) });
    for (let head = 100; head < 1_500; head += 200)
      await commit(store, externalWriteOf('run', { expect: head, entries: notes(200) }));
    const seqs: number[] = [];
    for (let after = 0, count = 1; count > 0 && seqs.length <= 1_500; after = seqs.at(-1) ?? 0) {
      const page = await store.records({ runId: 'run', after, order: 'oldest', limit: 333 });
      count = page.length;
      seqs.push(...page.map(({ seq }) => seq));
    }
    assert.deepEqual(
      seqs,
      Array.from({ length: 1_500 }, (_, at) => at + 1),
    );
  });

  test('gives each record as it was written', async ({ store }) => {
    const written: NewEntry = {
      ...note({ deep: [1, { two: 'three' }] }, 'chosen'),
      source: 'custom:mine',
      labels: ['t'],
      meta: { m: 1 },
    };
    await create(store, 'run', { entries: [written] });
    const found = await store.records({ runId: 'run', order: 'oldest', limit: 1 });
    assert.deepEqual(found, [{ ...written, runId: 'run', seq: 1 }]);
  });

  test('gives nothing of a run that is not there', async ({ store }) => {
    assert.deepEqual(await seqsOf(store, 'nobody'), []);
    assert.deepEqual(await store.records({ runId: 'nobody', id: 'chosen', order: 'newest', limit: 1 }), []);
  });
}

function everyRange(): readonly RecordQuery[] {
  const queries: RecordQuery[] = [];
  for (const after of [undefined, 0, 1, 3, 6, 9]) {
    for (const before of [undefined, 0, 1, 2, 5, 7, 9]) {
      for (const order of ['oldest', 'newest'] as const) {
        for (const limit of [1, 2, 1_000]) queries.push({ runId: 'run', after, before, order, limit });
      }
    }
  }
  return queries;
}

function withId(id: string, runId = 'run'): RecordQuery {
  return { runId, id, order: 'oldest', limit: 10 };
}

function idTests(test: Test): void {
  test('finds a record by the id that a user chose', async ({ store }) => {
    await create(store, 'run', { entries: [note(1), note(2, 'chosen'), note(3, 'other')] });
    const [found, ...more] = await store.records(withId('chosen'));
    assert.deepEqual([found?.seq, found?.id, found?.payload], [2, 'chosen', 2]);
    assert.deepEqual(more, []);
    assert.equal((await store.records({ ...withId('other'), order: 'newest' }))[0]?.seq, 3);
  });

  test('compares ids to the letter', async ({ store }) => {
    await create(store, 'run', { entries: [note(1, 'a_b'), note(2, 'Chosen'), note(3, 'x'.repeat(128))] });
    for (const id of ['a.b', 'axb', 'chosen', 'CHOSEN', 'Chose', 'Chosen2', 'x'.repeat(127)]) {
      assert.deepEqual(await store.records(withId(id)), [], id);
    }
    assert.equal((await store.records(withId('x'.repeat(128)))).length, 1);
  });

  test('keeps the ids of each run apart', async ({ store }) => {
    await create(store, 'run', { entries: [note('mine', 'chosen')] });
    await create(store, 'other', { entries: [note(1), note('yours', 'chosen')] });
    assert.equal((await store.records(withId('chosen')))[0]?.payload, 'mine');
    assert.equal((await store.records(withId('chosen', 'other')))[0]?.payload, 'yours');
    assert.deepEqual(await store.records(withId('chosen', 'nobody')), []);
  });

  test('finds a record by id only inside the range', async ({ store }) => {
    await create(store, 'run', { entries: [note(1), note(2, 'chosen'), note(3)] });
    assert.equal((await store.records({ ...withId('chosen'), after: 1, before: 3 })).length, 1);
    assert.deepEqual(await store.records({ ...withId('chosen'), after: 2 }), []);
    assert.deepEqual(await store.records({ ...withId('chosen'), before: 2 }), []);
  });

  test('finds no id that was trimmed away, and still those that were kept', async ({ store }) => {
    await create(store, 'run', { entries: [note(1, 'one'), note(2, 'two'), note(3, 'three')] });
    await trimAll(store, { runId: 'run', floor: 1, snapshot: { head: null, body: null } });
    await trimAll(store, { runId: 'run', hide: { keepTo: 2 } });
    assert.deepEqual(await store.records(withId('one')), []);
    assert.equal((await store.records(withId('two')))[0]?.seq, 2);
    assert.deepEqual(await store.records(withId('three')), []);
  });
}

function ownRecordsTests(test: Test): void {
  test('gives only the records of the run itself, not those of its base', async ({ store }) => {
    await create(store, 'base', { entries: [note(1), note(2, 'below'), note(3)] });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 }, entries: notes(3) });
    assert.deepEqual(await seqsOf(store, 'fork'), [3, 4, 5]);
    const newest = await store.records({ runId: 'fork', before: 5, order: 'newest', limit: 9 });
    assert.deepEqual(
      newest.map(({ seq }) => seq),
      [4, 3],
    );
    assert.deepEqual(await store.records({ runId: 'fork', after: 0, before: 3, order: 'oldest', limit: 9 }), []);
    assert.deepEqual(await store.records({ runId: 'fork', id: 'below', order: 'oldest', limit: 9 }), []);
  });

  test('gives the kept records of a hidden run, which forks read', async ({ store }) => {
    await create(store, 'base', { entries: notes(4) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 } });
    await trimAll(store, { runId: 'base', hide: { keepTo: 2 } });
    assert.deepEqual(await seqsOf(store, 'base'), [1, 2]);
  });
}
