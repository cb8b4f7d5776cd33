import assert from 'node:assert/strict';
import type { RunsQuery } from '../../../store/contract/read.ts';
import type { RunHeader, WaitHead } from '../../../store/contract/run.ts';
import { awkwardStrings } from '../awkward.ts';
import type { Contract } from '../contract.ts';
import { commit, create, externalWriteOf, headerOf, idsOf, trimAll } from '../given.ts';
import { runsFilterTests } from './runs-filters.ts';

/** What listing run headers promises. */
export function runsContract({ describe, test }: Contract): void {
  describe('runs()', () => {
    pageTests(test);
    runsFilterTests(test);
    hiddenTests(test);
    boundTests(test);
  });
}

type Test = Contract['test'];

const wait: WaitHead = { id: 'w', kind: 'ask', name: 'n', node: 'n', since: 1 };

function pageTests(test: Test): void {
  /** Ids whose order differs between letters, bytes and natural languages, with equal times among them. */
  const places = [
    ...['b', 'B', 'a', 'A', 'a-1', 'a.1', 'a:1', 'a_1', 'a1', 'Z', 'z'].map((runId) => ({ runId, createdAt: 1_000 })),
    ...['10', '9', '1'].map((runId) => ({ runId, createdAt: 999 })),
    { runId: 'later', createdAt: 1_700_000_000_000 },
    { runId: 'first', createdAt: 0 },
  ];
  const inOrder = [...places]
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.runId < b.runId ? -1 : 1))
    .map(({ runId }) => runId);

  for (const order of ['oldest', 'newest'] as const) {
    const expected = order === 'oldest' ? inOrder : [...inOrder].toReversed();

    test(`lists by time of creation and then by id, ${order} first`, async ({ store }) => {
      for (const { runId, createdAt } of places) await create(store, runId, { createdAt });
      assert.deepEqual(await idsOf(store, { order }), expected);
    });

    test(`gives each run once in pages of every size, ${order} first`, async ({ store }) => {
      for (const { runId, createdAt } of places) await create(store, runId, { createdAt });
      for (const limit of [1, 2, 3, 5, places.length, 1_000]) {
        const listed: RunHeader[] = [];
        for (let more = true; more; ) {
          const page: readonly RunHeader[] = await store.runs({
            order,
            limit,
            after: listed.at(-1) && placeOf(listed),
          });
          listed.push(...page);
          more = page.length > 0 && listed.length <= expected.length;
        }
        assert.deepEqual(
          listed.map(({ runId }) => runId),
          expected,
          `pages of ${limit}`,
        );
      }
    });
  }

  test('continues after a place where no run is any more', async ({ store }) => {
    for (const runId of ['a', 'c', 'e']) await create(store, runId, { createdAt: 5 });
    assert.deepEqual(await idsOf(store, { after: { createdAt: 5, runId: 'b' } }), ['c', 'e']);
    assert.deepEqual(await idsOf(store, { after: { createdAt: 5, runId: 'd' }, order: 'newest' }), ['c', 'a']);
    assert.deepEqual(await idsOf(store, { after: { createdAt: 4, runId: 'z' } }), ['a', 'c', 'e']);
    assert.deepEqual(await idsOf(store, { after: { createdAt: 6, runId: 'a' } }), []);
  });

  test('pages through what a filter leaves', async ({ store }) => {
    for (const at of [1, 2, 3, 4, 5, 6]) await create(store, `run-${at}`, { graph: at % 2 === 0 ? 'even' : 'odd' });
    const first = await idsOf(store, { graph: 'even', limit: 2 });
    const after = { createdAt: 1_000, runId: first.at(-1) as string };
    assert.deepEqual([first, await idsOf(store, { graph: 'even', limit: 2, after })], [['run-2', 'run-4'], ['run-6']]);
  });
}

function placeOf(listed: readonly RunHeader[]): NonNullable<RunsQuery['after']> {
  const { createdAt, runId } = listed.at(-1) as RunHeader;
  return { createdAt, runId };
}

function hiddenTests(test: Test): void {
  test('finds a hidden run only by its id or by asking for hidden ones', async ({ store }) => {
    await create(store, 'seen', { graph: 'g', tags: { t: 'v' }, waits: [wait] });
    await create(store, 'hidden', { graph: 'g', tags: { t: 'v' }, waits: [wait] });
    await trimAll(store, { runId: 'hidden', hide: { keepTo: 1 } });
    assert.deepEqual(await idsOf(store), ['seen']);
    assert.deepEqual(await idsOf(store, { graph: 'g', tags: { t: 'v' }, idPrefix: 'hid' }), []);
    assert.deepEqual(await idsOf(store, { hidden: false }), ['seen']);
    assert.deepEqual(await idsOf(store, { hidden: true }), ['hidden']);
    assert.deepEqual(await idsOf(store, { hidden: true, graph: 'other' }), []);
    assert.equal((await headerOf(store, 'hidden')).hidden, true);
    assert.deepEqual(await idsOf(store, { runIds: ['hidden'], hidden: false }), []);
    assert.deepEqual(await idsOf(store, { runIds: ['seen'], hidden: true }), []);
  });

  test('finds no run that was removed', async ({ store }) => {
    await create(store, 'run');
    await trimAll(store, { runId: 'run', remove: true });
    assert.deepEqual(await idsOf(store), []);
    assert.deepEqual(await idsOf(store, { runIds: ['run'] }), []);
    assert.deepEqual(await idsOf(store, { hidden: true }), []);
  });
}

function boundTests(test: Test): void {
  test('takes awkward strings in filters for what they are', async ({ store }) => {
    await create(store, 'plain', { graph: 'plain', frontier: ['plain'], tags: { plain: 'plain' } });
    for (const [at, text] of awkwardStrings.entries()) {
      await create(store, `run-${at}`, { graph: text, frontier: [text, 'also'], tags: { [text]: text } });
    }
    for (const [at, text] of awkwardStrings.entries()) {
      assert.deepEqual(await idsOf(store, { graph: text }), [`run-${at}`], `graph ${text}`);
      assert.deepEqual(await idsOf(store, { node: text }), [`run-${at}`], `node ${text}`);
      assert.deepEqual(await idsOf(store, { tags: { [text]: text } }), [`run-${at}`], `tag ${text}`);
      assert.deepEqual(await idsOf(store, { tags: { [text]: 'plain' } }), [], `tag ${text}`);
      if (text !== '') assert.deepEqual(await idsOf(store, { idPrefix: text }), [], `prefix ${text}`);
    }
    assert.equal((await idsOf(store)).length, awkwardStrings.length + 1);
  });

  test('compares the beginning of ids to the letter', async ({ store }) => {
    for (const runId of ['a_1', 'ab1', 'a-1', 'A_1', 'a_', 'b']) await create(store, runId);
    assert.deepEqual(await idsOf(store, { idPrefix: 'a_' }), ['a_', 'a_1']);
    assert.deepEqual(await idsOf(store, { idPrefix: 'A' }), ['A_1']);
    assert.deepEqual(await idsOf(store, { idPrefix: '%' }), []);
    assert.deepEqual(await idsOf(store, { idPrefix: 'a%' }), []);
    assert.deepEqual(await idsOf(store, { idPrefix: 'a_1' }), ['a_1']);
    assert.deepEqual(await idsOf(store, { idPrefix: 'a_1x' }), []);
    assert.equal((await idsOf(store, { idPrefix: '' })).length, 6);
  });

  test('follows the changes of a run', async ({ store }) => {
    await create(store, 'run', { frontier: ['one'], tags: { t: '1' }, waits: [wait] });
    await commit(
      store,
      externalWriteOf('run', { expect: 1, header: { status: 'waiting', tags: { t: '2' }, waits: [] } }),
    );
    assert.deepEqual(await idsOf(store, { status: ['pending'] }), []);
    assert.deepEqual(await idsOf(store, { status: ['waiting'], tags: { t: '2' } }), ['run']);
    assert.deepEqual(await idsOf(store, { tags: { t: '1' } }), []);
    assert.deepEqual(await idsOf(store, { waits: 'ask' }), []);
  });
}
