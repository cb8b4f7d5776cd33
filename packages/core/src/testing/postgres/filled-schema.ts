import type { CheckedStore } from '../../store/checked-store.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import { batchOf } from '../contract/commit/seal-batch.ts';
import {
  commit,
  create,
  creationOf,
  externalWriteOf,
  journalWriteOf,
  note,
  notes,
  ownerOf,
  snapshotOf,
} from '../contract/given.ts';

const wait = { id: 'w', kind: 'ask', name: 'ok', node: 'review', since: 1 } as const;

/** Writes some of everything, so that every table has rows. */
export async function fillSchema(driver: StoreDriver, store: CheckedStore): Promise<void> {
  await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 60_000 });
  await create(store, 'engine', { worker: 'worker', wakeAt: 5, tags: { team: 'red' }, waits: [wait], frontier: ['a'] });
  await commit(store, ownerOf('engine', { expect: 1, fence: 1, entries: [note(1), note(2, 'chosen')] }));
  for (let expect = 3; expect < 9; expect += 1) await commit(store, externalWriteOf('engine', { expect }));
  const forkedAt = { runId: 'engine', seq: 3 };
  await create(store, 'fork', { forkedAt, parentId: 'engine', graph: 'other', frontier: ['b'] });
  await create(store, 'loop', { kind: 'journal', snapshot: snapshotOf(1), status: 'running', frontier: ['c'] });
  await commit(store, journalWriteOf('loop', { expect: 1, entries: notes(2), snapshot: snapshotOf(2) }));
  await create(store, 'hidden', { entries: notes(2) });
  await store.trim({ runId: 'hidden', hide: { keepTo: 1 } });
  await create(store, 'refused', { worker: 'other', wakeAt: null });
  const refusal = { code: 'HOLDFAST_UNKNOWN_GRAPH', message: 'No code.' };
  await store.claim({ type: 'release', worker: 'other', runIds: ['refused'], refusal });
  await store.claim({ type: 'duty', worker: 'worker', name: 'sweep', everyMs: 60_000 });
  await driver.resolveDoubt(batchOf(creationOf('void'), { token: 'lost' }));
}
