import assert from 'node:assert/strict';
import { loadLimit } from '../../../store/contract/lease.ts';
import type { Contract } from '../contract.ts';
import { claimDue, claimOne, create, headerOf, notes, snapshotOf } from '../given.ts';

type Test = Contract['test'];

/** What a claimed run comes with: all that `load` gives, so that nobody has to read it again. */
export function loadedClaimTests(test: Test): void {
  test('gives each run as load gives it, with its new fence', async (bench) => {
    const { store, driver } = bench;
    const now = await bench.now();
    await create(store, 'base', { entries: notes(4), snapshot: snapshotOf(2) });
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 3 }, entries: notes(2), wakeAt: now });
    const { claimed } = await driver.claim({
      type: 'due',
      worker: 'worker',
      leaseMs: 1_000,
      graphs: [{ name: 'graph' }],
      limit: 9,
      takeover: true,
    });
    assert.deepEqual(claimed, [await driver.load({ runId: 'fork', limit: loadLimit })]);
    assert.equal(claimed[0]?.header.fence, 1);
    const [one] = (await driver.claim({ type: 'one', worker: 'w', leaseMs: 1, runId: 'base', ifDue: false })).claimed;
    assert.deepEqual(one, await driver.load({ runId: 'base', limit: loadLimit }));
  });

  test('gives the records after the newest snapshot, decoded', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { entries: notes(5), snapshot: snapshotOf(3), wakeAt: await bench.now() });
    const [claimed] = (await claimDue(store, 'worker')).claimed;
    const opened = await claimed?.open();
    assert.deepEqual(opened?.header, await headerOf(store, 'run'));
    assert.deepEqual(opened?.snapshot, { covers: 3, body: { covers: 3 } });
    assert.deepEqual(
      opened?.entries.map(({ seq, payload }) => [seq, payload]),
      [
        [4, 4],
        [5, 5],
      ],
    );
  });

  test('gives no more than the limit of records', async ({ store }) => {
    await create(store, 'run', { entries: notes(loadLimit + 10) });
    const [claimed] = (await claimOne(store, 'worker', 'run')).claimed;
    const opened = await claimed?.open();
    assert.deepEqual(
      opened?.entries.map(({ seq }) => seq),
      Array.from({ length: loadLimit }, (_, at) => at + 1),
    );
  });
}
