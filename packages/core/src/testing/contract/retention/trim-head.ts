import assert from 'node:assert/strict';
import type { Contract } from '../contract.ts';
import { allOf, headerOf, seqsOf, snapshotsOf, trimAll } from '../given.ts';
import { counts, createRun, given } from './trimmed-run.ts';

type Test = Contract['test'];

/** What plans for journal runs need: a condition, and a snapshot that is stored again. */
export function headTests(test: Test): void {
  test('refuses a plan for another head, and changes nothing', async ({ store }) => {
    await createRun(store);
    const before = await allOf(store, 'run');
    const drop = [{ covers: 2, seq: 2 }];
    for (const head of [5, 7]) assert.equal(counts(await trimAll(store, { runId: 'run', head, drop })), 'head');
    assert.equal(counts(await trimAll(store, { runId: 'run', head: 5, drop, dryRun: true })), 'head');
    assert.deepEqual(await allOf(store, 'run'), before);
    assert.equal(counts(await trimAll(store, { runId: 'run', head: 6, drop })), '0 records, 1 snapshots');
  });

  test('stores a snapshot again, and nothing else changes', async ({ store }) => {
    await createRun(store);
    const key = { covers: 2, seq: 2 };
    const again = await trimAll(store, { runId: 'run', snapshot: { ...given, key } });
    assert.equal(counts(again), '0 records, 0 snapshots');
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await snapshotsOf(store, 'run'), ['4/4', '2/2']);
    const [, found] = await store.snapshots({ runId: 'run', limit: 2, bodies: true });
    assert.deepEqual(found, { ...key, ok: true, ...given });
    assert.equal((await headerOf(store, 'run')).floor, 0);
  });
}
