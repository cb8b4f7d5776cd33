import assert from 'node:assert/strict';
import type { Commit } from '../../../store/check/check-commit.ts';
import type { BatchResult } from '../../../store/contract/commit.ts';
import type { StoreDriver } from '../../../store/contract/driver.ts';
import type { Contract } from '../contract.ts';
import {
  allOf,
  commit,
  create,
  creationOf,
  externalWriteOf,
  headerOf,
  notes,
  ownerOf,
  seqsOf,
  snapshotOf,
  trimAll,
} from '../given.ts';
import { batchOf } from './seal-batch.ts';

/** What the epoch that every batch names promises. */
export function epochContract({ describe, test }: Contract): void {
  describe('the epoch of a batch', () => {
    checkTests(test);
    orderTests(test);
    repeatTests(test);
  });
}

type Test = Contract['test'];

let tokens = 0;

async function send(driver: StoreDriver, commit: Commit): Promise<BatchResult> {
  tokens += 1;
  const [result] = await driver.commit([batchOf(commit, { token: `epoch-${tokens}` })]);
  return result as BatchResult;
}

async function answer(driver: StoreDriver, commit: Commit): Promise<string> {
  const result = await send(driver, commit);
  return result.ok ? 'ok' : `${result.why} ${result.epoch}`;
}

/** Raises the run's epoch: a batch that was never sent is in doubt. */
async function raise(driver: StoreDriver, commit: Commit): Promise<void> {
  tokens += 1;
  const { outcome } = await driver.resolveDoubt(batchOf(commit, { token: `epoch-${tokens}` }));
  assert.equal(outcome, 'absent');
}

function checkTests(test: Test): void {
  test('begins at 0, and is refused when it is not the one that the run has', async ({ store, driver }) => {
    await create(store, 'run');
    assert.equal((await headerOf(store, 'run')).epoch, 0);
    assert.equal(await answer(driver, externalWriteOf('run', { expect: 1, epoch: 1 })), 'epoch 0');
    await raise(driver, externalWriteOf('run', { expect: 1 }));
    await raise(driver, externalWriteOf('run', { expect: 1 }));
    assert.equal((await headerOf(store, 'run')).epoch, 2);
    for (const epoch of [0, 1, 3]) {
      assert.equal(await answer(driver, externalWriteOf('run', { expect: 1, epoch })), 'epoch 2');
    }
    assert.equal(await answer(driver, externalWriteOf('run', { expect: 1, epoch: 2 })), 'ok');
    assert.equal((await headerOf(store, 'run')).epoch, 2);
  });

  test('shows the header that it found when it refuses by the epoch, and changes nothing', async ({
    store,
    driver,
  }) => {
    await create(store, 'run', { worker: 'worker', entries: notes(2) });
    await raise(driver, externalWriteOf('run', { expect: 2 }));
    const before = await allOf(store, 'run');
    const much = { entries: notes(2), snapshot: snapshotOf(3), header: { status: 'failed' as const } };
    const result = await send(driver, ownerOf('run', { expect: 2, fence: 1, release: true, ...much }));
    assert.deepEqual(result, { ok: false, why: 'epoch', found: await headerOf(store, 'run'), epoch: 1 });
    assert.deepEqual(await allOf(store, 'run'), before);
  });

  test('refuses one batch of a group by its epoch, and takes the others', async ({ store, driver }) => {
    for (const runId of ['a', 'b', 'c']) await create(store, runId);
    await raise(driver, externalWriteOf('b', { expect: 1 }));
    const batches = ['a', 'b', 'c'].map((runId) => batchOf(externalWriteOf(runId, { expect: 1 }), { token: runId }));
    const results = await driver.commit(batches);
    assert.deepEqual(
      results.map((result) => (result.ok ? 'ok' : result.why)),
      ['ok', 'epoch', 'ok'],
    );
    assert.deepEqual(await seqsOf(store, 'b'), [1]);
    assert.deepEqual(await seqsOf(store, 'c'), [1, 2]);
  });
}

function orderTests(test: Test): void {
  test('is the last of the reasons to refuse', async ({ store, driver }) => {
    await create(store, 'run', { worker: 'worker' });
    await raise(driver, externalWriteOf('run', { expect: 1 }));
    assert.equal(await answer(driver, ownerOf('run', { expect: 7, fence: 2 })), 'fence 1');
    assert.equal(await answer(driver, ownerOf('run', { expect: 7, fence: 1 })), 'head 1');
    assert.equal(await answer(driver, ownerOf('run', { expect: 1, fence: 1 })), 'epoch 1');
    assert.equal(await answer(driver, creationOf('run')), 'exists 1');
    await trimAll(store, { runId: 'run', hide: { keepTo: 1 } });
    assert.equal(await answer(driver, ownerOf('run', { expect: 1, fence: 1 })), 'missing 1');
    assert.equal(await answer(driver, externalWriteOf('nobody', { expect: 1, epoch: 4 })), 'missing 0');
  });

  test('is the last of the reasons to refuse a new run', async ({ store, driver }) => {
    await raise(driver, creationOf('fork'));
    assert.equal(await answer(driver, creationOf('fork', { forkedAt: { runId: 'base', seq: 1 } })), 'base 1');
    await create(store, 'base');
    assert.equal(await answer(driver, creationOf('fork', { forkedAt: { runId: 'base', seq: 1 } })), 'epoch 1');
    assert.equal(await answer(driver, { ...creationOf('new'), epoch: 1 }), 'epoch 0');
  });
}

function repeatTests(test: Test): void {
  test('is found out by the checked store, which repeats the commit', async ({ store, driver }) => {
    await create(store, 'run');
    await raise(driver, externalWriteOf('run', { expect: 1 }));
    const outcome = await store.commit(externalWriteOf('run', { expect: 1 }));
    assert.deepEqual(outcome.ok && [outcome.head, outcome.epoch], [2, 1]);
    await raise(driver, creationOf('new'));
    const created = await store.commit(creationOf('new'));
    assert.deepEqual(created.ok && [created.head, created.epoch], [1, 1]);
    assert.equal((await headerOf(store, 'new')).epoch, 1);
    await commit(store, externalWriteOf('new', { expect: 1, epoch: 1 }));
  });
}
