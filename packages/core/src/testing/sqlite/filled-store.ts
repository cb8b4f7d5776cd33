import { join } from 'node:path';
import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { verifyStore } from '../../journal/verify.ts';
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
import { inDirectory, type Opened, openAt, stillEnv } from './sqlite-places.ts';

const wait = { id: 'w', kind: 'ask', name: 'ok', node: 'review', since: 1 } as const;

/** Some of everything, and enough for marks. */
async function fill({ driver, store }: Opened): Promise<void> {
  await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 60_000 });
  await create(store, 'engine', { worker: 'worker', wakeAt: 5, tags: { team: 'red' }, waits: [wait], frontier: ['a'] });
  await commit(store, ownerOf('engine', { expect: 1, fence: 1, entries: [note(1), note(2, 'chosen')] }));
  for (let expect = 3; expect < 70; expect += 1) await commit(store, externalWriteOf('engine', { expect }));
  await create(store, 'fork', {
    forkedAt: { runId: 'engine', seq: 3 },
    parentId: 'engine',
    graph: 'other',
    frontier: ['b'],
  });
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

/** A store with some of everything, which nobody has open. */
export async function withFilled<T>(body: (path: string, env: Env) => Promise<T>): Promise<T> {
  return inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const { env } = stillEnv();
    const opened = await openAt(path, env);
    await fill(opened);
    await opened.store.close();
    return body(path, env);
  });
}

/** Whether reading all there is comes upon corruption that has a place. */
export async function findsCorruption(path: string, env: Env): Promise<boolean> {
  const { store } = await openAt(path, env);
  try {
    const { ok, corruption } = await verifyStore(store);
    await store.claim({ type: 'due', worker: 'worker', leaseMs: 1, graphs: [], limit: 1, takeover: true });
    return !ok && corruption.every(({ where }) => where !== '');
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
    return typeof error.details['where'] === 'string';
  } finally {
    await store.close();
  }
}
