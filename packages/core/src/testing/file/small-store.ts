import type { Env } from '../../env/env.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { CheckedStore } from '../../store/checked-store.ts';
import type { FileDriver } from '../../store/file/driver.ts';
import { folderName } from '../../store/file/folder/names.ts';
import { openFileDriver } from '../../store/file/open.ts';
import { commit, create, externalWriteOf, note, ownerOf, snapshotOf } from '../contract/given.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { seededRandom } from '../seeded-random.ts';
import { virtualClock } from '../virtual-clock.ts';
import { virtualMachine } from './virtual-machine.ts';

export const root = '/store';

/** The files of a store by their paths. */
export type Contents = ReadonlyMap<string, Uint8Array>;

let seeds = 0;

/** A world around a disk, in which warnings are written down. */
export function envOf(disk: SimulatedDisk): Env & { readonly warnings: string[] } {
  seeds += 1;
  const warnings: string[] = [];
  const clock = virtualClock(new Date('2026-01-01T00:00:00Z'));
  return { ...nodeEnv, clock, random: seededRandom(seeds), files: disk, warnings, warn: (text) => warnings.push(text) };
}

/** The files of a small store that has something of everything; as it is when the writer is killed, or closes it. */
export async function smallStore(end: 'killed' | 'closed'): Promise<Contents> {
  const disk = new SimulatedDisk();
  const env = envOf(disk);
  const driver = (await openFileDriver({ dir: root, env, machine: virtualMachine() })) as FileDriver;
  const store = new CheckedStore(driver, env);
  await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
  await create(store, 'a', { entries: [note('first one'), note('@ \u0080 ü', 'chosen')], snapshot: snapshotOf(2) });
  await store.claim({ type: 'one', worker: 'w', leaseMs: 60_000, runId: 'a', ifDue: false });
  await commit(store, ownerOf('a', { expect: 2, fence: 1, entries: [note('third'), note('fourth @ ')] }));
  await create(store, 'b', { forkedAt: { runId: 'a', seq: 3 }, tags: { crc: '@ ' } });
  await store.trim({ runId: 'a', floor: 2 });
  await commit(store, externalWriteOf('a', { expect: 4, entries: [note({ deep: ['@ \u0080'] }, 'last')] }));
  await (end === 'killed' ? driver.abandon() : store.close());
  return disk.contents();
}

/** Everything that can be read of a store; corrupt snapshots say so. */
async function readEverything(store: CheckedStore): Promise<unknown> {
  const headers = await store.runs({ order: 'oldest', limit: 100 });
  const runs = [];
  for (const { runId } of headers) {
    const records = await store.records({ runId, order: 'oldest', limit: 100 });
    const snapshots = await store.snapshots({ runId, limit: 100, bodies: true });
    runs.push({ records, snapshots });
  }
  return { headers, runs };
}

/** What became of a store that somebody changed. */
export interface Reopened {
  readonly everything: unknown;
  readonly error: unknown;
  readonly warnings: readonly string[];
  readonly contents: Contents;
}

/** Opens a store with these files, reads everything, and does not close it. */
export async function reopen(contents: Contents, readOnly = false): Promise<Reopened> {
  const disk = SimulatedDisk.of(contents);
  const env = envOf(disk);
  const machine = virtualMachine();
  machine.die();
  try {
    const driver = await openFileDriver({ dir: root, env, machine, readOnly });
    const everything = await readEverything(new CheckedStore(driver, env));
    return { everything, error: undefined, warnings: env.warnings, contents: disk.contents() };
  } catch (error) {
    return { everything: undefined, error, warnings: env.warnings, contents: disk.contents() };
  }
}

/** The path of a run's only segment. */
export function journalOf(contents: Contents, runId: string): string {
  return [...contents.keys()].find((path) => path.includes(`${folderName(runId)}/journal-`)) as string;
}

/** The contents with another file at a path. */
export function withFile(contents: Contents, path: string, bytes: Uint8Array): Contents {
  return new Map(contents).set(path, bytes);
}
