import assert from 'node:assert/strict';
import type { NewEntry } from '../../../record/record.ts';
import type { RecordQuery } from '../../../store/contract/read.ts';
import type { Contract } from '../contract.ts';
import { commit, create, externalWriteOf, note, notes, seqsOf, trimAll } from '../given.ts';

/** What reading records promises. */
export function recordsContract({ describe, test }: Contract): void {
  describe('records()', () => {
    rangeTests(test);
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
  });

  test('gives the kept records of a hidden run, which forks read', async ({ store }) => {
    await create(store, 'base', { entries: notes(4) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 2 } });
    await trimAll(store, { runId: 'base', hide: { keepTo: 2 } });
    assert.deepEqual(await seqsOf(store, 'base'), [1, 2]);
  });
}
