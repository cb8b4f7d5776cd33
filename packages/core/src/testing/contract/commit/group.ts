import assert from 'node:assert/strict';
import type { Commit } from '../../../store/check/check-commit.ts';
import type { StoreDriver } from '../../../store/contract/driver.ts';
import type { Contract } from '../contract.ts';
import {
  allOf,
  create,
  creationOf,
  externalWriteOf,
  headerOf,
  note,
  notes,
  ownerOf,
  seqsOf,
  snapshotOf,
} from '../given.ts';
import { batchOf } from './seal-batch.ts';

/** What a commit of several batches promises; the checked store makes such groups where the driver is faster with them. */
export function groupContract({ describe, test }: Contract): void {
  describe('commit() of a group', () => {
    groupTests(test);
    refusedAloneTests(test);
  });
}

type Test = Contract['test'];

async function commitAll(driver: StoreDriver, commits: readonly Commit[]): Promise<readonly string[]> {
  const sorted = [...commits].toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
  const results = await driver.commit(sorted.map((commit, at) => batchOf(commit, { token: `token-${at}` })));
  return results.map((result) => (result.ok ? 'ok' : result.why));
}

function groupTests(test: Test): void {
  test('writes all of its batches', async ({ driver, store }) => {
    const runs = Array.from({ length: 100 }, (_, at) => `run-${String(at).padStart(3, '0')}`);
    const created = await commitAll(
      driver,
      runs.map((runId) => creationOf(runId, { entries: [note(runId)] })),
    );
    assert.deepEqual(new Set(created), new Set(['ok']));
    assert.equal(created.length, 100);
    const more = runs.map((runId) =>
      externalWriteOf(runId, { expect: 1, entries: notes(2), header: { status: 'running' } }),
    );
    assert.deepEqual(new Set(await commitAll(driver, more)), new Set(['ok']));
    for (const runId of runs) {
      assert.deepEqual(await seqsOf(store, runId), [1, 2, 3]);
      assert.equal((await headerOf(store, runId)).status, 'running');
    }
  });

  test('keeps the token of each batch with its own run', async ({ driver }) => {
    const commits = [creationOf('a'), creationOf('b'), creationOf('c')];
    await commitAll(driver, commits);
    const outcomes = [];
    for (const [at, commit] of commits.entries()) {
      outcomes.push(await driver.resolveDoubt(batchOf(commit, { token: `token-${at}` })));
    }
    assert.deepEqual(outcomes, [{ outcome: 'committed' }, { outcome: 'committed' }, { outcome: 'committed' }]);
  });
}

function refusedAloneTests(test: Test): void {
  test('refuses single batches, each for its own reason, and takes the others', async ({ driver, store }) => {
    for (const runId of ['b-exists', 'd-fence', 'f-head', 'g-taken']) await create(store, runId, { worker: 'worker' });
    const answers = await commitAll(driver, [
      creationOf('a-created'),
      creationOf('b-exists'),
      creationOf('c-base', { forkedAt: { runId: 'nobody', seq: 1 } }),
      ownerOf('d-fence', { expect: 1, fence: 2 }),
      externalWriteOf('e-missing', { expect: 1 }),
      ownerOf('f-head', { expect: 2, fence: 1 }),
      ownerOf('g-taken', { expect: 1, fence: 1, entries: notes(2) }),
    ]);
    assert.deepEqual(answers, ['ok', 'exists', 'base', 'fence', 'missing', 'head', 'ok']);
    assert.deepEqual(await seqsOf(store, 'a-created'), [1]);
    assert.deepEqual(await seqsOf(store, 'g-taken'), [1, 2, 3]);
    assert.deepEqual((await store.runs({ order: 'oldest', limit: 10 })).length, 5);
  });

  test('writes nothing of a refused batch, wherever it stands in the group', async ({ driver, store }) => {
    for (const bad of ['a', 'b', 'c']) {
      const runs = ['a', 'b', 'c'].map((name) => `${name}-beside-${bad}`);
      for (const runId of runs) await create(store, runId);
      const target = `${bad}-beside-${bad}`;
      const before = await allOf(store, target);
      const much = { entries: notes(3), snapshot: snapshotOf(1), header: { status: 'failed' as const } };
      const commits = runs.map((runId) =>
        externalWriteOf(runId, runId === target ? { expect: 9, ...much } : { expect: 1 }),
      );
      const expected = runs.map((runId) => (runId === target ? 'head' : 'ok'));
      assert.deepEqual(await commitAll(driver, commits), expected);
      assert.deepEqual(await allOf(store, target), before);
      for (const runId of runs) if (runId !== target) assert.deepEqual(await seqsOf(store, runId), [1, 2]);
    }
  });

  test('shows in a refusal what was there, also when others of the group were taken', async ({ driver, store }) => {
    await create(store, 'a');
    await create(store, 'b', { entries: notes(4) });
    const batches = [externalWriteOf('a', { expect: 1 }), externalWriteOf('b', { expect: 1 })];
    const results = await driver.commit(batches.map((commit, at) => batchOf(commit, { token: `token-${at}` })));
    assert.deepEqual(results, [{ ok: true }, { ok: false, why: 'head', found: await headerOf(store, 'b'), epoch: 0 }]);
  });
}
