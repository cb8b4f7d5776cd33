import type { Env } from '../../env/env.ts';
import type { Machine } from '../../env/machine.ts';
import { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import type { FileDriver } from '../../store/file/driver.ts';
import { openFileDriver } from '../../store/file/open.ts';
import {
  commit,
  create,
  externalWriteOf,
  journalWriteOf,
  note,
  notes,
  ownerOf,
  snapshotOf,
} from '../contract/given.ts';
import { smallLimits } from './small-limits.ts';

const root = '/deep/store';

/** A few calls of everything, in an order in which each changes one run. */
export const steps: readonly ((store: CheckedStore) => Promise<unknown>)[] = [
  (store) => create(store, 'a', { worker: 'gone', entries: notes(2), snapshot: snapshotOf(2) }),
  (store) => store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 }),
  (store) => store.claim({ type: 'one', worker: 'w', leaseMs: 60_000, runId: 'a', ifDue: false }),
  (store) => commit(store, ownerOf('a', { expect: 2, fence: 2, entries: [note('x'.repeat(1_500), 'long')] })),
  (store) => commit(store, externalWriteOf('a', { expect: 3, entries: notes(4) })),
  (store) => commit(store, ownerOf('a', { expect: 7, fence: 2, entries: notes(2), snapshot: snapshotOf(8) })),
  (store) => create(store, 'fork', { worker: 'z', forkedAt: { runId: 'a', seq: 8 }, entries: [note('y'.repeat(700))] }),
  (store) => store.trim({ runId: 'a', floor: 5, snapshot: { head: 'at 5', body: 'z'.repeat(900) } }),
  (store) => store.trim({ runId: 'a', floor: 8 }),
  (store) => store.claim({ type: 'release', worker: 'w', runIds: ['a'] }),
  (store) => create(store, 'loop', { kind: 'journal', entries: notes(1), snapshot: snapshotOf(1) }),
  (store) =>
    commit(store, journalWriteOf('loop', { expect: 1, entries: notes(3), snapshot: snapshotOf(1, 'w'.repeat(600)) })),
  (store) => store.trim({ runId: 'loop', drop: [{ covers: 1, seq: 1 }] }),
  (store) => commit(store, externalWriteOf('a', { expect: 9, entries: notes(1) })),
  (store) => store.trim({ runId: 'a', hide: { keepTo: 8 } }),
  (store) => commit(store, ownerOf('fork', { expect: 9, fence: 1, entries: notes(2), snapshot: snapshotOf(11) })),
  (store) => store.trim({ runId: 'loop', remove: true }),
  (store) => create(store, 'long', { worker: 'z', entries: [...notes(5), note('v'.repeat(900))] }),
  (store) => commit(store, ownerOf('long', { expect: 6, fence: 1, entries: [...notes(3), note('u'.repeat(1_300))] })),
  (store) => commit(store, ownerOf('long', { expect: 10, fence: 1, entries: notes(2), snapshot: snapshotOf(3) })),
  (store) => store.trim({ runId: 'long', floor: 3 }),
  (store) => store.trim({ runId: 'long', hide: { keepTo: 8 } }),
  (store) => store.trim({ runId: 'fork', floor: 11, snapshot: { head: 'new', body: 'new' } }),
  (store) => store.claim({ type: 'release', worker: 'w' }),
];

/** What can be read before the first step, and after each. */
export async function readStates(env: Env, machine: Machine): Promise<readonly string[]> {
  const opened = await openSmall(env, machine);
  const states = [await everything(opened)];
  for (const step of steps) {
    await step(opened.store);
    states.push(await everything(opened));
  }
  return states;
}

interface Opened {
  readonly env: Env;
  readonly driver: FileDriver;
  readonly store: CheckedStore;
}

/** Opens the store with small segments, so that a few records need several. */
export async function openSmall(env: Env, machine: Machine): Promise<Opened> {
  const driver = (await openFileDriver({
    dir: root,
    env,
    machine,
    segmentBytes: 1_200,
    ...smallLimits,
  })) as FileDriver;
  return { env, driver, store: new CheckedStore(driver, env) };
}

/** All that can be read, hidden or not, and which workers live. */
export async function everything({ env, store }: Opened): Promise<string> {
  const page = { order: 'oldest', limit: 100 } as const;
  const headers: readonly RunHeader[] = [...(await store.runs(page)), ...(await store.runs({ ...page, hidden: true }))];
  const runs = [];
  for (const header of headers) {
    const { runId } = header;
    const records = await store.records({ ...page, runId });
    runs.push({
      header,
      records,
      snapshots: await store.snapshots({ runId, limit: 100, bodies: true }),
    });
  }
  const leases = await env.files.readAll(`${root}/leases.json`).catch(() => '');
  return JSON.stringify({ leases: leases.toString(), runs }, null, 1);
}
