import assert from 'node:assert/strict';
import type { Commit } from '../../../store/check/check-commit.ts';
import type { Batch, BatchResult, DoubtResult } from '../../../store/contract/commit.ts';
import type { StoreDriver } from '../../../store/contract/driver.ts';
import type { Contract } from '../contract.ts';
import { commit, create, externalWriteOf, headerOf, notes, ownerOf, seqsOf, snapshotOf, trimAll } from '../given.ts';
import { createDoubtTests } from './doubt-create.ts';
import { batchOf } from './seal-batch.ts';

/** What settling a batch in doubt promises: afterwards it is durable, or it can never become so. */
export function doubtContract({ describe, test }: Contract): void {
  describe('resolveDoubt()', () => {
    committedTests(test);
    absentTests(test);
    unknownTests(test);
    raceTests(test);
    reopenTests(test);
    createDoubtTests(test);
  });
}

type Test = Contract['test'];

function batchIn(commit: Commit): Batch {
  return batchOf(commit, { token: 'in-doubt' });
}

/** Sends a batch as it is; what it is refused by, or `ok`. */
async function arrival(driver: StoreDriver, batch: Batch): Promise<string> {
  const [result] = (await driver.commit([batch])) as readonly [BatchResult];
  return result.ok ? 'ok' : result.why;
}

function committedTests(test: Test): void {
  test('finds a batch that was committed, as often as it is asked', async ({ store, driver }) => {
    await create(store, 'run');
    const batch = batchIn(externalWriteOf('run', { expect: 1, entries: notes(2) }));
    assert.equal(await arrival(driver, batch), 'ok');
    const before = await headerOf(store, 'run');
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(await driver.resolveDoubt(batch), { outcome: 'committed' });
    }
    assert.deepEqual(await headerOf(store, 'run'), before);
  });

  test('finds it also when others have written, claimed and trimmed since', async ({ store, driver }) => {
    await create(store, 'run', { worker: 'gone' });
    const batch = batchIn(ownerOf('run', { expect: 1, fence: 1, entries: notes(2), snapshot: snapshotOf(3) }));
    assert.equal(await arrival(driver, batch), 'ok');
    for (let head = 3; head < 30; head += 1) await commit(store, externalWriteOf('run', { expect: head }));
    await store.claim({ type: 'one', worker: 'other', leaseMs: 1_000, runId: 'run', ifDue: false });
    await commit(store, ownerOf('run', { expect: 30, fence: 2 }));
    await trimAll(store, { runId: 'run', floor: 1, snapshot: { head: null, body: null } });
    assert.deepEqual(await driver.resolveDoubt(batch), { outcome: 'committed' });
  });

  test('goes by the token, not by what the records say', async ({ store, driver }) => {
    await create(store, 'run');
    const write = externalWriteOf('run', { expect: 1 });
    await driver.commit([batchOf(write, { token: 'twin' })]);
    const { outcome } = await driver.resolveDoubt(batchIn(write));
    assert.equal(outcome, 'absent');
  });
}

function absentTests(test: Test): void {
  test('raises the epoch when the batch is absent, and says what it found', async ({ store, driver }) => {
    await create(store, 'run');
    const before = await headerOf(store, 'run');
    const batch = batchIn(externalWriteOf('run', { expect: 1 }));
    const result = await driver.resolveDoubt(batch);
    const after = { ...before, epoch: 1 };
    assert.deepEqual(result, { outcome: 'absent', found: after, epoch: 1 });
    assert.deepEqual(await headerOf(store, 'run'), after);
  });

  test('keeps a late arrival out, and lets the batch be repeated with the new epoch', async ({ store, driver }) => {
    await create(store, 'run', { worker: 'worker' });
    for (const [at, write] of [
      externalWriteOf('run', { expect: 1 }),
      ownerOf('run', { expect: 2, fence: 1, entries: notes(2), release: true }),
    ].entries()) {
      const batch = batchOf({ ...write, epoch: at }, { token: `doubt-${at}` });
      const result = await driver.resolveDoubt(batch);
      assert.equal(await arrival(driver, batch), 'epoch');
      assert.equal(await arrival(driver, { ...batch, epoch: epochIn(result) }), 'ok');
      assert.equal(await arrival(driver, batch), write.writer.by === 'owner' ? 'head' : 'head');
      assert.deepEqual(await driver.resolveDoubt(batch), { outcome: 'committed' });
    }
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2, 3, 4]);
  });

  test('finds that someone else wrote in its place', async ({ store, driver }) => {
    await create(store, 'run');
    await commit(store, externalWriteOf('run', { expect: 1 }));
    const result = await driver.resolveDoubt(batchIn(externalWriteOf('run', { expect: 1 })));
    assert.deepEqual(result, { outcome: 'absent', found: await headerOf(store, 'run'), epoch: 1 });
  });

  test('changes nothing but the epoch of that one run', async ({ store, driver }) => {
    for (const runId of ['run', 'run2']) await create(store, runId, { worker: 'worker', snapshot: snapshotOf(1) });
    const before = [await headerOf(store, 'run'), await headerOf(store, 'run2')];
    const batch = batchIn(ownerOf('run', { expect: 1, fence: 1, release: true, header: { status: 'failed' } }));
    await driver.resolveDoubt(batch);
    assert.deepEqual(
      [await headerOf(store, 'run'), await headerOf(store, 'run2')],
      [{ ...before[0], epoch: 1 }, before[1]],
    );
    assert.deepEqual(await seqsOf(store, 'run'), [1]);
  });

  test('says that a batch is absent whose run is not there', async ({ driver }) => {
    const result = await driver.resolveDoubt(batchIn(externalWriteOf('nobody', { expect: 1 })));
    assert.equal(result.outcome, 'absent');
    assert.equal(result.outcome === 'absent' && result.found, undefined);
  });
}

function epochIn(result: DoubtResult): number {
  assert.equal(result.outcome, 'absent');
  return (result as { readonly epoch: number }).epoch;
}

function unknownTests(test: Test): void {
  test('does not know when the records at its place were trimmed away', async ({ store, driver }) => {
    await create(store, 'run', { entries: notes(2) });
    const batch = batchIn(externalWriteOf('run', { expect: 2 }));
    assert.equal(await arrival(driver, batch), 'ok');
    await commit(store, externalWriteOf('run', { expect: 3 }));
    await trimAll(store, { runId: 'run', floor: 3, snapshot: { head: null, body: null } });
    assert.deepEqual(await driver.resolveDoubt(batch), { outcome: 'unknown' });
  });

  test('does not know when the records at its place went as the run was hidden', async ({ store, driver }) => {
    await create(store, 'run', { entries: notes(2) });
    const batch = batchIn(externalWriteOf('run', { expect: 2 }));
    assert.equal(await arrival(driver, batch), 'ok');
    await trimAll(store, { runId: 'run', hide: { keepTo: 1 } });
    assert.deepEqual(await driver.resolveDoubt(batch), { outcome: 'unknown' });
  });

  test('does not know of a batch without records', async ({ store, driver }) => {
    const { writer, ...rest } = externalWriteOf('run', { expect: 1, entries: [] });
    const { header, of } = { header: undefined, of: null };
    const part = { ...rest, header, writer: { by: 'copier', of, floor: 0, end: null, at: 1 } } as const;
    await create(store, 'run');
    await trimAll(store, { runId: 'run', hide: { keepTo: 1 } });
    assert.equal(writer.by, 'external');
    assert.deepEqual(await driver.resolveDoubt(batchIn(part)), { outcome: 'unknown' });
  });
}

function raceTests(test: Test): void {
  test('orders itself behind a commit that is in flight, or ahead of it for good', async ({ store, driver }) => {
    for (let round = 0; round < 20; round += 1) {
      const runId = `run-${round}`;
      await create(store, runId);
      const batch = batchOf(externalWriteOf(runId, { expect: 1 }), { token: runId });
      const calls: [Promise<string>, Promise<DoubtResult>] =
        round % 2 === 0
          ? [arrival(driver, batch), driver.resolveDoubt(batch)]
          : (([doubt, sent]) => [sent, doubt])([driver.resolveDoubt(batch), arrival(driver, batch)] as const);
      const [sent, { outcome }] = await Promise.all(calls);
      assert.deepEqual([sent, outcome], sent === 'ok' ? ['ok', 'committed'] : ['epoch', 'absent']);
      assert.deepEqual(await seqsOf(store, runId), sent === 'ok' ? [1, 2] : [1]);
    }
  });
}

function reopenTests(test: Test): void {
  test('knows after a crash what was committed before, and keeps epochs, where it reopens', async (bench) => {
    await create(bench.store, 'run');
    const made = batchOf(externalWriteOf('run', { expect: 1 }), { token: 'made' });
    assert.equal(await arrival(bench.driver, made), 'ok');
    const late = batchOf(externalWriteOf('run', { expect: 2 }), { token: 'late' });
    await bench.driver.resolveDoubt(late);
    if (!bench.store.capabilities.reopens) return;
    for (const how of ['crash', 'reopen'] as const) {
      await bench[how]();
      assert.deepEqual(await bench.driver.resolveDoubt(made), { outcome: 'committed' });
      assert.equal(await arrival(bench.driver, late), 'epoch');
    }
  });

  test('keeps out what another open driver sends late, where it is shared', async (bench) => {
    if (!bench.store.capabilities.shared) return;
    const other = await bench.openAnother();
    await create(bench.store, 'run');
    const batch = batchIn(externalWriteOf('run', { expect: 1 }));
    await other.driver.resolveDoubt(batch);
    assert.equal(await arrival(bench.driver, batch), 'epoch');
    const made = batchOf(externalWriteOf('run', { expect: 1, epoch: 1 }), { token: 'made' });
    assert.equal(await arrival(bench.driver, made), 'ok');
    assert.deepEqual(await other.driver.resolveDoubt(made), { outcome: 'committed' });
  });
}
