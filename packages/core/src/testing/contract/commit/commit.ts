import assert from 'node:assert/strict';
import type { HeaderState, WaitHead } from '../../../store/contract/run.ts';
import { awkwardStrings, escapedStrings } from '../awkward.ts';
import type { Contract } from '../contract.ts';
import {
  allOf,
  claimOne,
  commit,
  create,
  externalWriteOf,
  headerOf,
  live,
  note,
  notes,
  ownerOf,
  refused,
  seqsOf,
  snapshotOf,
  trimAll,
} from '../given.ts';
import { batchOf } from './seal-batch.ts';

/** What every commit to a run that is there promises. */
export function commitContract({ describe, test }: Contract): void {
  describe('commit()', () => {
    headTests(test);
    fenceTests(test);
    refusalTests(test);
    headerTests(test);
    textTests(test);
  });
}

type Test = Contract['test'];

function headTests(test: Test): void {
  test('appends its records after the head that it expects', async ({ store }) => {
    await create(store, 'run');
    await commit(
      store,
      externalWriteOf('run', { expect: 1, entries: notes(3) }),
      externalWriteOf('run', { expect: 4 }),
    );
    assert.equal((await headerOf(store, 'run')).head, 5);
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2, 3, 4, 5]);
  });

  test('refuses a head that somebody has passed, with the header that it found', async ({ store }) => {
    await create(store, 'run', { entries: notes(3) });
    const found = await refused(store, 'head', externalWriteOf('run', { expect: 2 }));
    assert.deepEqual(found, await headerOf(store, 'run'));
  });

  test('refuses a head that is not reached yet', async ({ store }) => {
    await create(store, 'run');
    await refused(store, 'head', externalWriteOf('run', { expect: 2 }));
    await refused(store, 'head', externalWriteOf('run', { expect: 0 }));
  });

  test('refuses a run that is not there', async ({ store }) => {
    assert.equal(await refused(store, 'missing', externalWriteOf('run', { expect: 0 })), undefined);
    assert.equal(await refused(store, 'missing', ownerOf('run', { expect: 1, fence: 1 })), undefined);
  });

  test('takes a hidden run for missing, and shows it', async ({ store }) => {
    await create(store, 'run');
    await trimAll(store, { runId: 'run', hide: { keepTo: 1 } });
    const found = await refused(store, 'missing', externalWriteOf('run', { expect: 1 }));
    assert.equal(found?.hidden, true);
    assert.deepEqual(found, await headerOf(store, 'run'));
  });

  test('lets one of many writers at the same head win', async ({ store }) => {
    await create(store, 'run');
    const rivals = Array.from({ length: 20 }, (_, at) =>
      externalWriteOf('run', { expect: 1, entries: [note(`rival ${at}`)] }),
    );
    const outcomes = await Promise.all(rivals.map((rival) => store.commit(rival)));
    assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
    for (const outcome of outcomes) if (!outcome.ok) assert.equal(outcome.why, 'head');
    const winner = outcomes.findIndex(({ ok }) => ok);
    const [written] = await store.records({ runId: 'run', after: 1, order: 'oldest', limit: 10 });
    assert.equal(written?.payload, `rival ${winner}`);
    assert.deepEqual(await seqsOf(store, 'run'), [1, 2]);
  });

  test('writes many runs at once', async ({ store }) => {
    const runs = Array.from({ length: 50 }, (_, at) => `run-${at}`);
    await Promise.all(runs.map((runId) => create(store, runId)));
    await Promise.all(
      runs.map((runId) => commit(store, externalWriteOf(runId, { expect: 1, entries: [note(runId)] }))),
    );
    for (const runId of runs) {
      const [last] = await store.records({ runId, order: 'newest', limit: 1 });
      assert.equal(last?.payload, runId);
    }
  });
}

function fenceTests(test: Test): void {
  test('lets the owner write with the fence that it was given', async ({ store }) => {
    await create(store, 'run', { worker: 'worker' });
    await commit(store, ownerOf('run', { expect: 1, fence: 1 }), ownerOf('run', { expect: 2, fence: 1 }));
    assert.equal((await headerOf(store, 'run')).worker, 'worker');
  });

  test('refuses a stale fence, and one that nobody was given', async ({ store }) => {
    await create(store, 'run', { worker: 'gone' });
    await claimOne(store, 'worker', 'run');
    const found = await refused(store, 'fence', ownerOf('run', { expect: 1, fence: 1 }));
    assert.deepEqual(found, await headerOf(store, 'run'));
    assert.equal(found?.fence, 2);
    await refused(store, 'fence', ownerOf('run', { expect: 1, fence: 3 }));
    await commit(store, ownerOf('run', { expect: 1, fence: 2 }));
  });

  test('refuses a stale fence by the fence also when the head is wrong', async ({ store }) => {
    await create(store, 'run', { worker: 'worker' });
    await refused(store, 'fence', ownerOf('run', { expect: 7, fence: 2 }));
    await refused(store, 'head', ownerOf('run', { expect: 7, fence: 1 }));
  });

  test('lets an external writer write to a leased run, and leaves the lease to its owner', async ({ store }) => {
    await create(store, 'run', { worker: 'gone' });
    await claimOne(store, 'worker', 'run');
    await commit(store, externalWriteOf('run', { expect: 1 }));
    const { fence, worker, claims } = await headerOf(store, 'run');
    assert.deepEqual({ fence, worker, claims }, { fence: 2, worker: 'worker', claims: 1 });
    await commit(store, ownerOf('run', { expect: 2, fence: 2 }));
  });

  test('counts the claims from zero after a commit of the owner', async ({ store }) => {
    await create(store, 'run', { worker: 'gone' });
    await claimOne(store, 'worker', 'run');
    await commit(store, ownerOf('run', { expect: 1, fence: 2 }));
    const { fence, claims } = await headerOf(store, 'run');
    assert.deepEqual({ fence, claims }, { fence: 2, claims: 0 });
  });

  test('releases the run when the owner says so, and keeps its fence', async ({ store }) => {
    await create(store, 'run', { worker: 'first' });
    await live(store, 'first');
    await commit(store, ownerOf('run', { expect: 1, fence: 1 }));
    assert.deepEqual((await claimOne(store, 'second', 'run')).claimed, []);
    await commit(store, ownerOf('run', { expect: 2, fence: 1, release: true }));
    const { worker, fence } = await headerOf(store, 'run');
    assert.deepEqual({ worker, fence }, { worker: null, fence: 1 });
    assert.equal((await claimOne(store, 'second', 'run')).claimed.length, 1);
  });
}

function refusalTests(test: Test): void {
  const everything = {
    entries: [note('refused', 'refused-id')],
    header: { status: 'failed', superstep: 9, frontier: ['x'], waits: [], wakeAt: 9, tags: { x: 'y' } } as HeaderState,
    snapshot: snapshotOf(1),
  };

  test('changes nothing of the run when it refuses the head', async ({ store }) => {
    await create(store, 'run', { worker: 'worker', entries: notes(2) });
    const before = await allOf(store, 'run');
    await refused(store, 'head', ownerOf('run', { ...everything, expect: 1, fence: 1, release: true }));
    await refused(
      store,
      'head',
      externalWriteOf('run', { expect: 3, entries: everything.entries, header: { status: 'failed' } }),
    );
    assert.deepEqual(await allOf(store, 'run'), before);
    assert.deepEqual(await store.ids({ runId: 'run', id: 'refused-id', limit: 1 }), []);
  });

  test('changes nothing of the run when it refuses the fence', async ({ store }) => {
    await create(store, 'run', { worker: 'worker', entries: notes(2) });
    const before = await allOf(store, 'run');
    await refused(store, 'fence', ownerOf('run', { ...everything, expect: 2, fence: 2, release: true }));
    assert.deepEqual(await allOf(store, 'run'), before);
  });

  test('makes nothing of a run that is missing', async ({ store }) => {
    await refused(store, 'missing', externalWriteOf('run', { expect: 0 }));
    assert.deepEqual(await store.runs({ runIds: ['run'], order: 'oldest', limit: 1 }), []);
    assert.deepEqual(await seqsOf(store, 'run'), []);
  });
}

function headerTests(test: Test): void {
  const wait: WaitHead = { id: 'w-1', kind: 'ask', name: 'approve', node: 'review', since: 1_500, until: 9_000 };
  const changes: readonly Partial<HeaderState>[] = [
    { status: 'running' },
    { superstep: 3 },
    { frontier: ['a', 'b'] },
    { waits: [wait, { id: 'w-2', kind: 'sleep', name: 'nap', node: 'rest', since: 1_600 }] },
    { wakeAt: 5_000 },
    { wakeAt: null },
    { tags: { team: 'blue', stage: '2' } },
    { frontier: [], waits: [], tags: {}, status: 'completed', superstep: 4 },
  ];

  test('changes the parts of the header that it names and no other', async ({ store, env }) => {
    await create(store, 'run', { tags: { team: 'red' }, frontier: ['start'], wakeAt: 2_000, worker: 'worker' });
    let expected = await headerOf(store, 'run');
    for (const [at, header] of changes.entries()) {
      await commit(store, ownerOf('run', { expect: at + 1, fence: 1, header }));
      const found = await headerOf(store, 'run');
      expected = { ...expected, ...header, head: at + 2, updatedAt: env.clock.now() };
      assert.deepEqual(found, expected);
    }
  });

  test('changes nothing but head and time without a header', async ({ store, driver }) => {
    await create(store, 'run', { tags: { team: 'red' }, frontier: ['start'], wakeAt: 2_000, worker: 'worker' });
    const before = await headerOf(store, 'run');
    await driver.commit([batchOf(externalWriteOf('run', { expect: 1 }), { token: 'token-2', at: 7_777 })]);
    assert.deepEqual(await headerOf(store, 'run'), { ...before, head: 2, updatedAt: 7_777 });
  });

  test('keeps awkward characters in tags, names and frontiers', async ({ store }) => {
    const tags = Object.fromEntries(awkwardStrings.map((text, at) => [text, `${at} ${text}`]));
    const waits = awkwardStrings.map((name) => ({ ...wait, name, node: name }));
    await create(store, 'run', { graph: awkwardStrings.join(''), tags, waits, frontier: awkwardStrings });
    const found = await headerOf(store, 'run');
    assert.deepEqual(found.tags, tags);
    assert.deepEqual(Object.keys(found.tags).toSorted(), [...awkwardStrings].toSorted());
    assert.deepEqual(found.waits, waits);
    assert.deepEqual(found.frontier, awkwardStrings);
    assert.equal(found.graph, awkwardStrings.join(''));
  });
}

function textTests(test: Test): void {
  test('keeps texts and checksums to the letter', async ({ driver, store }) => {
    await create(store, 'run', { worker: 'worker' });
    const payloads = [...awkwardStrings, ...escapedStrings].map((text) => ({ [text]: text }));
    const entries = payloads.map((payload) => note(payload));
    const batch = batchOf(ownerOf('run', { expect: 1, fence: 1, entries, snapshot: snapshotOf(1, payloads) }), {
      token: 't',
    });
    assert.deepEqual(await driver.commit([batch]), [{ ok: true }]);
    const records = await driver.records({ runId: 'run', after: 1, order: 'oldest', limit: 1_000 });
    assert.deepEqual(
      records.map(({ seq, text, crc }) => ({ seq, text, crc })),
      batch.records.map(({ seq, text, crc }) => ({ seq, text, crc })),
    );
    assert.deepEqual(await driver.snapshots({ runId: 'run', limit: 1, bodies: true }), [batch.snapshot]);
  });

  test('gives awkward values back through the checks', async ({ store }) => {
    const payload = { texts: [...awkwardStrings, ...escapedStrings], big: 2n ** 70n, odd: [-0, Number.NaN, undefined] };
    await create(store, 'run', { entries: [note(payload)], snapshot: snapshotOf(1, payload) });
    const [record] = await store.records({ runId: 'run', order: 'oldest', limit: 1 });
    assert.deepEqual(record?.payload, payload);
    const [snapshot] = await store.snapshots({ runId: 'run', limit: 1, bodies: true });
    assert.deepEqual(snapshot?.ok === true && snapshot.body, payload);
  });

  test('keeps a text of one megabyte', async ({ store }) => {
    const payload = 'x'.repeat(500_000) + '🚀'.repeat(130_000);
    await create(store, 'run', { entries: [note(payload)], snapshot: snapshotOf(1, payload) });
    const [record] = await store.records({ runId: 'run', order: 'oldest', limit: 1 });
    assert.equal(record?.payload === payload, true);
    const [snapshot] = await store.snapshots({ runId: 'run', limit: 1, bodies: true });
    assert.equal(snapshot?.ok === true && snapshot.body === payload, true);
  });
}
