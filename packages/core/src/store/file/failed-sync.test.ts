import { describe, expect, test } from 'vitest';
import {
  commit,
  create,
  externalWriteOf,
  ownerOf,
  seqsOf,
  snapshotOf,
  snapshotsOf,
} from '../../testing/contract/given.ts';
import { crashChoice } from '../../testing/disk/crash-choice.ts';
import type { DiskOperation } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { CheckedStore } from '../checked-store.ts';
import { openFileDriver } from './open.ts';

const machine = virtualMachine();
const fault = /EIO|failed|in doubt/;

/** Opens the store; whoever had it before is dead, on the same machine. */
async function open(disk: SimulatedDisk): Promise<CheckedStore> {
  machine.die();
  const env = envOf(disk);
  return new CheckedStore(await openFileDriver({ dir: root, env, machine }), env);
}

/** What a failed sync of a directory has written is up to chance: many seeds meet every case. */
const seeds = Array.from({ length: 32 }, (_, at) => at + 1);

interface Failing {
  readonly disk: SimulatedDisk;
  /** The next sync of such a directory fails. */
  readonly failNext: (isMeant: (path: string) => boolean) => void;
}

function failingDisk(seed: number): Failing {
  let left = 0;
  let isMeant: ((path: string) => boolean) | undefined;
  const faults = ({ kind, path }: DiskOperation): { code: 'EIO' } | undefined => {
    if (left === 0 || kind !== 'sync-directory' || !isMeant?.(path)) return undefined;
    left -= 1;
    return { code: 'EIO' };
  };
  return {
    disk: new SimulatedDisk({ seed, faults }),
    failNext: (meant) => {
      isMeant = meant;
      left = 1;
    },
  };
}

describe('a directory that could not be synced', () => {
  test('never gives a snapshot back to a commit that came without one', async () => {
    for (const seed of seeds) {
      const { disk, failNext } = failingDisk(seed);
      const store = await open(disk);
      await create(store, 'a', { worker: 'w' });
      await commit(store, externalWriteOf('a', { expect: 1 }));
      failNext((path) => path.includes('/runs/'));
      await expect(store.commit(ownerOf('a', { expect: 2, fence: 1, snapshot: snapshotOf(3) }))).rejects.toThrow(fault);
      await store.close().catch(() => {});
      await commit(await open(disk), externalWriteOf('a', { expect: 2 }));
      const found = await open(disk.afterCrash(crashChoice('nothing', seededRandom(seed))));
      expect(await seqsOf(found, 'a')).toEqual([1, 2, 3]);
      expect(await snapshotsOf(found, 'a'), `seed ${seed}`).toEqual([]);
    }
  });

  test('leaves a new run whole or not at all', async () => {
    for (const seed of seeds) {
      const { disk, failNext } = failingDisk(seed);
      const store = await open(disk);
      failNext((path) => path.endsWith('/runs'));
      await expect(create(store, 'a', { snapshot: snapshotOf(1) })).rejects.toThrow(fault);
      for (const way of ['nothing', 'everything', 'some names', 'a prefix of the names'] as const) {
        const found = await open(disk.afterCrash(crashChoice(way, seededRandom(seed))));
        const header = await found.header('a');
        expect(await snapshotsOf(found, 'a')).toHaveLength(header === undefined ? 0 : 1);
      }
    }
  });

  test('is synced by whoever opens the store next, also when taking a file away failed', async () => {
    for (const seed of seeds) {
      const { disk, failNext } = failingDisk(seed);
      const store = await open(disk);
      await create(store, 'a', { worker: 'w', snapshot: snapshotOf(1) });
      await commit(store, ownerOf('a', { expect: 1, fence: 1, snapshot: snapshotOf(2) }));
      failNext((path) => path.includes('/runs/'));
      await expect(store.trim({ runId: 'a', drop: [{ covers: 1, seq: 1 }] })).rejects.toThrow(fault);
      await store.close().catch(() => {});
      const again = await open(disk);
      await commit(again, externalWriteOf('a', { expect: 2 }));
      const found = await open(disk.afterCrash(crashChoice('nothing', seededRandom(seed))));
      expect((await snapshotsOf(found, 'a')).length, `seed ${seed}`).toBe((await snapshotsOf(again, 'a')).length);
    }
  });
});
