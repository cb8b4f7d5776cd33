import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileDriver } from '../../store/file/driver.ts';
import { openFileDriver } from '../../store/file/open.ts';
import { defineStore } from '../../store/store.ts';
import { crashChoice, crashWays } from '../disk/crash-choice.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { seededRandom } from '../seeded-random.ts';
import type { StorePlace } from '../store-place.ts';
import { type VirtualProcess, virtualMachine } from './virtual-machine.ts';

/** A store in a directory of the real disk. */
export function realPlace(): Promise<StorePlace> {
  return placeOn(virtualMachine());
}

/** The same, on a machine that tells its processes apart for certain. Nobody then notices a crash but as a death. */
export async function mortalPlace(): Promise<StorePlace> {
  const { crash, ...place } = await placeOn(virtualMachine({ isCertain: true }));
  return { ...place, kill: crash };
}

async function placeOn(machine: VirtualProcess): Promise<StorePlace> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-file-'));
  let open: FileDriver | undefined;
  return {
    store: defineStore(async (env) => {
      open = (await openFileDriver({ dir: join(dir, 'store'), env, machine })) as FileDriver;
      return open;
    }),
    crash: async () => {
      await open?.abandon();
      machine.die();
    },
    destroy: () => rm(dir, { recursive: true }),
  };
}

let seeds = 0;

/** A store on a simulated disk, of which a crash is a power cut: any subset of what was not synced is lost. */
export function simulatedPlace(): StorePlace {
  seeds += 1;
  const random = seededRandom(seeds);
  const machine = virtualMachine();
  let disk = new SimulatedDisk({ seed: seeds });
  let open: FileDriver | undefined;
  return {
    store: defineStore(async (env) => {
      open = (await openFileDriver({ dir: '/deep/store', env: { ...env, files: disk }, machine })) as FileDriver;
      return open;
    }),
    crash: async () => {
      const way = crashWays[Math.floor(random() * crashWays.length)] as (typeof crashWays)[number];
      disk = disk.afterCrash(crashChoice(way, random), { seed: seeds });
      await open?.abandon();
      machine.die();
    },
  };
}
