import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { LoadQuery } from '../../../store/contract/read.ts';
import type { LoadedParts } from '../../../store/open-run.ts';
import type { Contract } from '../contract.ts';
import {
  commit,
  create,
  externalWriteOf,
  headerOf,
  journalWriteOf,
  notes,
  ownerOf,
  snapshotOf,
  trimAll,
} from '../given.ts';

/** What loading a run in one round trip promises. */
export function loadContract({ describe, test }: Contract): void {
  describe('load()', () => {
    wholeTests(test);
    lineageTests(test);
    upToTests(test);
    snapshotTests(test);
    limitTests(test);
  });
}

type Test = Contract['test'];

async function load(store: CheckedStore, runId: string, query: Partial<LoadQuery> = {}): Promise<LoadedParts> {
  const loaded = await store.load({ runId, limit: 1_000, ...query });
  assert.ok(loaded, `${runId} is loaded`);
  return loaded;
}

function seqsIn({ entries }: LoadedParts): readonly number[] {
  return entries.map(({ seq }) => seq);
}

/** Where each record is from, as `runId@seq`. */
function placesIn({ entries }: LoadedParts): readonly string[] {
  return entries.map(({ runId, seq }) => `${runId}@${seq}`);
}

function lineageIn({ lineage }: LoadedParts): readonly string[] {
  return lineage.map(({ runId }) => runId);
}

function wholeTests(test: Test): void {
  test('gives nothing of a run that is not there', async ({ store }) => {
    assert.equal(await store.load({ runId: 'nobody', limit: 1 }), undefined);
    await create(store, 'run');
    await trimAll(store, { runId: 'run', remove: true });
    assert.equal(await store.load({ runId: 'run', limit: 1 }), undefined);
  });

  test('gives the header, and every record where there is no snapshot', async ({ store }) => {
    await create(store, 'run', { entries: notes(3), tags: { t: 'v' } });
    const { header, lineage, snapshot, entries } = await load(store, 'run');
    assert.deepEqual(header, await headerOf(store, 'run'));
    assert.deepEqual([lineage, snapshot], [[], undefined]);
    assert.deepEqual(
      entries,
      (await store.records({ runId: 'run', order: 'oldest', limit: 9 })).map((entry) => entry),
    );
  });

  test('gives the newest snapshot, and the records after what it covers', async ({ store }) => {
    await create(store, 'run', { worker: 'w', entries: notes(2), snapshot: snapshotOf(2) });
    await commit(store, ownerOf('run', { expect: 2, fence: 1, entries: notes(2), snapshot: snapshotOf(4) }));
    await commit(store, externalWriteOf('run', { expect: 4, entries: notes(2) }));
    const loaded = await load(store, 'run');
    assert.deepEqual(loaded.snapshot, { covers: 4, body: { covers: 4 } });
    assert.deepEqual(seqsIn(loaded), [5, 6]);
  });

  test('gives a hidden run, with what is kept of it', async ({ store }) => {
    await create(store, 'run', { entries: notes(4) });
    await trimAll(store, { runId: 'run', hide: { keepTo: 2 } });
    const loaded = await load(store, 'run');
    assert.equal(loaded.header.hidden, true);
    assert.deepEqual(seqsIn(loaded), [1, 2]);
  });

  test('gives a trimmed run from its floor on', async ({ store }) => {
    await create(store, 'run', { entries: notes(5) });
    await trimAll(store, { runId: 'run', floor: 3, snapshot: { head: 'h', body: 'b' } });
    const loaded = await load(store, 'run');
    assert.deepEqual([loaded.snapshot, seqsIn(loaded)], [{ covers: 3, body: 'b' }, [4, 5]]);
  });
}

/** A run, a fork of it, and a fork of that: 1–3 of `base`, 4–5 of `middle`, 6–7 of `leaf`. */
async function createForks(store: CheckedStore): Promise<void> {
  await create(store, 'base', { entries: notes(5) });
  await create(store, 'middle', { forkedAt: { runId: 'base', seq: 3 }, entries: notes(4) });
  await create(store, 'leaf', { forkedAt: { runId: 'middle', seq: 5 }, entries: notes(2), worker: 'w' });
}

const places = ['base@1', 'base@2', 'base@3', 'middle@4', 'middle@5', 'leaf@6', 'leaf@7'];

function lineageTests(test: Test): void {
  test('gives the records of a fork of a fork, each from the run that holds it', async ({ store }) => {
    await createForks(store);
    const loaded = await load(store, 'leaf');
    assert.deepEqual(placesIn(loaded), places);
    assert.deepEqual(loaded.lineage, [await headerOf(store, 'middle'), await headerOf(store, 'base')]);
  });

  test('reads through hidden runs', async ({ store }) => {
    await createForks(store);
    await trimAll(store, { runId: 'middle', hide: { keepTo: 5 } });
    await trimAll(store, { runId: 'base', hide: { keepTo: 3 } });
    const loaded = await load(store, 'leaf');
    assert.deepEqual(placesIn(loaded), places);
    assert.deepEqual(
      loaded.lineage.map(({ hidden }) => hidden),
      [true, true],
    );
  });

  test('gives the lineage only as far up as the records reach', async ({ store }) => {
    await createForks(store);
    const snapshot = { head: 'h', body: 'b' };
    await trimAll(store, { runId: 'middle', floor: 4, snapshot });
    const loaded = await load(store, 'leaf');
    assert.deepEqual(lineageIn(loaded), ['middle']);
    assert.deepEqual([loaded.snapshot?.covers, placesIn(loaded)], [4, places.slice(4)]);
    await trimAll(store, { runId: 'leaf', floor: 6, snapshot });
    const trimmed = await load(store, 'leaf');
    assert.deepEqual([lineageIn(trimmed), placesIn(trimmed)], [[], ['leaf@7']]);
  });

  test('gives a run that was trimmed at its fork point, as it was there', async ({ store }) => {
    await createForks(store);
    await trimAll(store, { runId: 'middle', floor: 3, snapshot: { head: 'h', body: 'b' } });
    for (const upTo of [3, 4]) {
      const { snapshot, lineage, ...loaded } = await load(store, 'middle', { upTo });
      assert.deepEqual([snapshot, lineage], [{ covers: 3, body: 'b' }, []]);
      assert.deepEqual(placesIn({ ...loaded, snapshot, lineage }), upTo === 3 ? [] : ['middle@4']);
    }
  });
}

function upToTests(test: Test): void {
  test('gives a run as it was at the end of a record, wherever that is in its lineage', async ({ store }) => {
    await createForks(store);
    for (let upTo = 0; upTo <= 9; upTo += 1) {
      const loaded = await load(store, 'leaf', { upTo });
      assert.deepEqual(placesIn(loaded), places.slice(0, upTo), `up to ${upTo}`);
      assert.deepEqual(loaded.header, await headerOf(store, 'leaf'));
      assert.deepEqual(lineageIn(loaded), ['middle', 'base']);
    }
  });

  test('uses no snapshot that covers more, or that was written later', async ({ store }) => {
    await create(store, 'run', { kind: 'journal', entries: notes(2), snapshot: snapshotOf(1, 'early') });
    await commit(store, journalWriteOf('run', { expect: 2, snapshot: snapshotOf(3, 'middle') }));
    await commit(store, journalWriteOf('run', { expect: 3, snapshot: snapshotOf(2, 'late') }));
    const found = async (upTo: number): Promise<unknown> => {
      const { snapshot, ...loaded } = await load(store, 'run', { upTo });
      return [snapshot?.body, ...seqsIn({ ...loaded, snapshot })];
    };
    assert.deepEqual(await found(1), [undefined, 1]);
    assert.deepEqual(await found(2), ['early', 2]);
    assert.deepEqual(await found(3), ['middle']);
    assert.deepEqual(await found(4), ['middle', 4]);
  });
}

function snapshotTests(test: Test): void {
  test('finds the newest snapshot anywhere in the lineage, and none past a fork point', async ({ store }) => {
    await create(store, 'base', { worker: 'w', entries: notes(2), snapshot: snapshotOf(2, 'base 2') });
    await commit(store, ownerOf('base', { expect: 2, fence: 1, entries: notes(2), snapshot: snapshotOf(4, 'base 4') }));
    await create(store, 'fork', { forkedAt: { runId: 'base', seq: 3 }, worker: 'w', entries: notes(2) });
    const inherited = await load(store, 'fork');
    assert.deepEqual([inherited.snapshot?.body, ...placesIn(inherited)], ['base 2', 'base@3', 'fork@4', 'fork@5']);
    await commit(store, ownerOf('fork', { expect: 5, fence: 1, snapshot: snapshotOf(6, 'own') }));
    const own = await load(store, 'fork');
    assert.deepEqual([own.snapshot?.body, ...placesIn(own)], ['own']);
  });

  test('takes the greatest snapshot in the order, whichever run of the lineage holds it', async ({ store }) => {
    await create(store, 'base', { kind: 'journal', entries: notes(3), snapshot: snapshotOf(3, 'base') });
    const forkedAt = { runId: 'base', seq: 3 };
    await create(store, 'fork', { kind: 'journal', forkedAt, snapshot: snapshotOf(1, 'small') });
    const loaded = await load(store, 'fork');
    assert.deepEqual([loaded.snapshot?.body, ...placesIn(loaded)], ['base', 'fork@4']);
  });

  test('gives an older snapshot before one that cannot be used, in the lineage too', async ({ store }) => {
    await create(store, 'base', { worker: 'w', entries: notes(2), snapshot: snapshotOf(2, 'base 2') });
    await create(store, 'fork', {
      forkedAt: { runId: 'base', seq: 2 },
      worker: 'w',
      snapshot: snapshotOf(3, 'fork 3'),
    });
    await commit(store, ownerOf('fork', { expect: 3, fence: 1, snapshot: snapshotOf(4, 'fork 4') }));
    const found = async (before: LoadQuery['before']): Promise<unknown> => {
      const loaded = await load(store, 'fork', { before });
      return [loaded.snapshot?.body, ...placesIn(loaded)];
    };
    assert.deepEqual(await found({ covers: 4, seq: 4 }), ['fork 3', 'fork@4']);
    assert.deepEqual(await found({ covers: 3, seq: 3 }), ['base 2', 'fork@3', 'fork@4']);
    assert.deepEqual(await found({ covers: 2, seq: 2 }), [undefined, 'base@1', 'base@2', 'fork@3', 'fork@4']);
    assert.deepEqual(await found({ covers: 0, seq: 0 }), [undefined, 'base@1', 'base@2', 'fork@3', 'fork@4']);
  });
}

function limitTests(test: Test): void {
  test('gives at most so many records, the oldest first; the rest is read on', async ({ store }) => {
    await createForks(store);
    for (const limit of [1, 2, 3, 5, 7, 8]) {
      assert.deepEqual(placesIn(await load(store, 'leaf', { limit })), places.slice(0, limit), `limit ${limit}`);
    }
    await create(store, 'long', { entries: notes(1_000) });
    await commit(store, externalWriteOf('long', { expect: 1_000, entries: notes(200) }));
    const first = await load(store, 'long', { limit: 1_000 });
    assert.equal(first.entries.length, 1_000);
    const rest = await store.records({ runId: 'long', after: 1_000, order: 'oldest', limit: 1_000 });
    assert.equal(rest.length, 200);
  });

  test('gives the header and the lineage alone for a limit of 0', async ({ store }) => {
    await createForks(store);
    await commit(store, ownerOf('leaf', { expect: 7, fence: 1, snapshot: snapshotOf(8) }));
    const loaded = await load(store, 'leaf', { limit: 0 });
    assert.deepEqual([loaded.snapshot, loaded.entries], [undefined, []]);
    assert.deepEqual(loaded.header, await headerOf(store, 'leaf'));
    assert.deepEqual(lineageIn(loaded), ['middle', 'base']);
  });
}
