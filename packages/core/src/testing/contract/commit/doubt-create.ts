import assert from 'node:assert/strict';
import type { Batch } from '../../../store/contract/commit.ts';
import type { StoreDriver } from '../../../store/contract/driver.ts';
import type { Bench } from '../../bench.ts';
import type { Contract } from '../contract.ts';
import { create, creationOf, externalWriteOf, headerOf, idsOf, notes, seqsOf, trimAll } from '../given.ts';
import { batchOf } from './seal-batch.ts';

type Test = Contract['test'];

const hourMs = 3_600_000;

function creation(runId = 'run', token = 'in-doubt'): Batch {
  return batchOf(creationOf(runId, { tags: { by: token }, entries: notes(2) }), { token });
}

async function arrival(driver: StoreDriver, batch: Batch): Promise<string> {
  const [result] = await driver.commit([batch]);
  return result?.ok === true ? 'ok' : `${result?.why} ${result?.epoch}`;
}

/** What settling the creation of a run promises: an absent run keeps an epoch, so that a late creation is refused. */
export function createDoubtTests(test: Test): void {
  settledTests(test);
  voidTests(test);
  keptTests(test);
}

function settledTests(test: Test): void {
  test('finds a creation that was committed, also when the run has gone on', async ({ store, driver }) => {
    assert.equal(await arrival(driver, creation()), 'ok');
    await store.commit(externalWriteOf('run', { expect: 2 }));
    assert.deepEqual(await driver.resolveDoubt(creation()), { outcome: 'committed' });
    const forked = batchOf(creationOf('fork', { forkedAt: { runId: 'run', seq: 2 } }), { token: 'fork' });
    assert.equal(await arrival(driver, forked), 'ok');
    assert.deepEqual(await driver.resolveDoubt(forked), { outcome: 'committed' });
  });

  test('finds that someone else created the run', async ({ store, driver }) => {
    await create(store, 'base', { entries: notes(4) });
    await create(store, 'run');
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 3 } });
    for (const runId of ['run', 'fork']) {
      const result = await driver.resolveDoubt(creation(runId));
      assert.deepEqual(result, { outcome: 'absent', found: await headerOf(store, runId), epoch: 1 });
      assert.equal(await arrival(driver, creation(runId)), 'exists 1');
    }
  });

  test('does not know of a creation whose records were trimmed away', async ({ store, driver }) => {
    assert.equal(await arrival(driver, creation()), 'ok');
    await trimAll(store, { runId: 'run', floor: 2, snapshot: { head: null, body: null } });
    assert.deepEqual(await driver.resolveDoubt(creation()), { outcome: 'unknown' });
  });
}

function voidTests(test: Test): void {
  test('keeps a late creation out, and lets it be repeated with the epoch', async ({ store, driver }) => {
    assert.deepEqual(await driver.resolveDoubt(creation()), { outcome: 'absent', found: undefined, epoch: 1 });
    assert.deepEqual([await idsOf(store), await idsOf(store, { hidden: true })], [[], []]);
    assert.deepEqual(await idsOf(store, { runIds: ['run'] }), []);
    assert.equal(await store.load({ runId: 'run', limit: 1 }), undefined);
    assert.equal(await arrival(driver, creation()), 'epoch 1');
    assert.equal(await arrival(driver, { ...creation(), epoch: 1 }), 'ok');
    assert.equal((await headerOf(store, 'run')).epoch, 1);
    assert.deepEqual(await driver.resolveDoubt(creation()), { outcome: 'committed' });
    assert.equal(await arrival(driver, creation()), 'exists 1');
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2]);
  });

  test('counts on when a creation is in doubt again', async ({ store, driver }) => {
    for (const epoch of [1, 2, 3]) {
      assert.deepEqual(await driver.resolveDoubt(creation()), { outcome: 'absent', found: undefined, epoch });
    }
    for (const epoch of [0, 1, 2]) assert.equal(await arrival(driver, { ...creation(), epoch }), 'epoch 3');
    assert.equal(await arrival(driver, { ...creation(), epoch: 3 }), 'ok');
    assert.deepEqual(await idsOf(store), ['run']);
  });

  test('keeps a late fork, child and copy out as well', async ({ store, driver }) => {
    await create(store, 'base');
    const { writer, ...plain } = creationOf('copy');
    if (writer.by !== 'creator') throw new Error('a creation is by a creator');
    const late = [
      creationOf('fork', { forkedAt: { runId: 'base', seq: 1 } }),
      creationOf('child', { parentId: 'base', worker: 'worker' }),
      { ...plain, writer: { by: 'copier', of: writer.of, floor: 0, end: null, at: 1 } as const },
    ].map((each) => batchOf(each, { token: each.runId }));
    for (const batch of late) await driver.resolveDoubt(batch);
    for (const batch of late) assert.equal(await arrival(driver, batch), 'epoch 1');
    assert.deepEqual(await idsOf(store), ['base']);
    for (const batch of late) assert.equal(await arrival(driver, { ...batch, epoch: 1 }), 'ok');
  });

  test('orders itself behind a creation that is in flight, or ahead of it for good', async ({ store, driver }) => {
    for (let round = 0; round < 20; round += 1) {
      const batch = creation(`run-${round}`, `token-${round}`);
      const sending = arrival(driver, batch);
      const { outcome } = await driver.resolveDoubt(batch);
      const sent = await sending;
      assert.deepEqual([sent, outcome], sent === 'ok' ? ['ok', 'committed'] : ['epoch 1', 'absent']);
      assert.equal((await idsOf(store, { runIds: [batch.runId] })).length, sent === 'ok' ? 1 : 0);
    }
  });
}

function keptTests(test: Test): void {
  test('keeps out what arrives after its run was removed', async ({ store, driver }) => {
    await driver.resolveDoubt(creation());
    assert.equal(await arrival(driver, { ...creation(), epoch: 1 }), 'ok');
    const late = batchOf(externalWriteOf('run', { expect: 2 }), { token: 'late' });
    await driver.resolveDoubt({ ...late, epoch: 1 });
    await trimAll(store, { runId: 'run', remove: true });
    for (const epoch of [0, 1]) assert.equal(await arrival(driver, { ...creation(), epoch }), 'epoch 2');
    assert.equal(await arrival(driver, { ...creation(), epoch: 2 }), 'ok');
    for (const epoch of [0, 1]) assert.equal(await arrival(driver, { ...late, epoch }), 'epoch 2');
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2]);
  });

  test('keeps the epoch of an absent run for at least a day', async (bench) => {
    await bench.driver.resolveDoubt(creation());
    await bench.advance(23 * hourMs);
    await someMore(bench);
    if (bench.store.capabilities.reopens) await bench.crash();
    assert.equal(await arrival(bench.driver, creation()), 'epoch 1');
  });
}

/** More creations in doubt, so that a driver that sweeps with them has the occasion. */
async function someMore({ driver }: Bench): Promise<void> {
  for (let at = 0; at < 5; at += 1) await driver.resolveDoubt(creation(`other-${at}`));
}
