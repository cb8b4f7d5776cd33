import type { CheckedStore } from '../../../src/store/checked-store.ts';
import {
  commit,
  create,
  creationOf,
  externalWriteOf,
  journalWriteOf,
  note,
  ownerOf,
  snapshotOf,
} from '../../../src/testing/contract/given.ts';

const awkward = 'line\nbreak \u0000 "quote" \\ é 漢 😀 \ud800 \u2028';
const start = { graph: 'order', version: 1, fingerprint: 'f', hash: 'h', next: ['charge', 'ship'] };
const wait = { id: 'w1', kind: 'ask', name: 'approve', node: 'review', since: 1_000, until: 9_000 } as const;

/**
 * Fills an empty store with some of everything that a store keeps, and little of each: runs of all kinds, chosen ids,
 * waits, tags, snapshots, a lease, a fork of each kind, a trimmed run, a hidden one, and one that is gone; at nodes that
 * somebody works on, and at nodes where nobody does.
 */
export async function fillCompletely(store: CheckedStore): Promise<void> {
  await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 60_000 });
  await create(store, 'engine', {
    graph: 'order',
    wakeAt: 5,
    frontier: ['charge', 'ship'],
    tags: { customer: 'c1' },
    entries: [{ ...note({ ...start, input: awkward }), kind: 'run-start' }],
  });
  const request = { type: 'one', worker: 'worker', leaseMs: 60_000, runId: 'engine', ifDue: false } as const;
  const { claimed } = await store.claim(request);
  const fence = claimed[0]?.header.fence ?? 0;
  await commit(
    store,
    ownerOf('engine', {
      fence,
      expect: 1,
      entries: [note('a'), note('b', 'chosen'), note({ n: [1, 2, 3] })],
      header: { status: 'waiting', superstep: 1, waits: [wait], frontier: ['review'] },
      snapshot: snapshotOf(4, { state: 'x'.repeat(40) }),
    }),
    externalWriteOf('engine', {
      expect: 4,
      entries: [{ ...note({ name: 'approve', yes: true }), kind: 'answer' }],
      header: { wakeAt: 7 },
    }),
    ownerOf('engine', { fence, expect: 5, header: { status: 'running', waits: [] }, snapshot: snapshotOf(6) }),
    creationOf('engine-fork', {
      forkedAt: { runId: 'engine', seq: 5 },
      entries: [{ ...note({ label: 'fork' }), kind: 'fork' }],
      frontier: ['charge', 'ship'],
    }),
  );
  await fillJournalRun(store);
  await fillTrimmed(store);
}

async function fillJournalRun(store: CheckedStore): Promise<void> {
  const checkpoint = { kind: 'checkpoint', at: 2_000, payload: { step: 1 } } as const;
  await create(store, 'loop', { kind: 'journal' });
  await commit(
    store,
    journalWriteOf('loop', {
      expect: 1,
      entries: [note('turn', 'first-turn'), checkpoint],
      snapshot: snapshotOf(2, awkward),
    }),
    journalWriteOf('loop', {
      expect: 3,
      entries: [checkpoint],
      snapshot: snapshotOf(3, { covers: 3, list: [1n, new Date(0)] }),
    }),
    creationOf('loop-fork', {
      kind: 'journal',
      forkedAt: { runId: 'loop', seq: 3 },
      entries: [{ ...note({ label: 'fork' }), kind: 'fork' }],
      status: 'running',
      frontier: ['plan'],
    }),
  );
}

async function fillTrimmed(store: CheckedStore): Promise<void> {
  await create(store, 'due', { wakeAt: 1 });
  await create(store, 'trimmed', { parentId: 'engine', status: 'completed' });
  for (const expect of [1, 2, 3, 4]) {
    await commit(store, externalWriteOf('trimmed', { expect, entries: [note(`note ${expect}`, `id-${expect}`)] }));
  }
  await store.trim({ runId: 'trimmed', floor: 3, snapshot: { head: { label: 'floor' }, body: { kept: 3 } } });
  await create(store, 'hidden', { entries: [note(1), note(2)], snapshot: snapshotOf(1) });
  await store.trim({ runId: 'hidden', hide: { keepTo: 1 } });
  await create(store, 'gone');
  await store.trim({ runId: 'gone', remove: true });
}
