import { setTimeout as sleep } from 'node:timers/promises';
import type { CrashMeans } from '../workload/crash-cycles.ts';
import { sharedMs } from '../workload/line.ts';
import { LoopDisk } from './loop-disk.ts';
import { ShutdownHelper } from './shutdown-helper.ts';

/** A file system sees this many stores before it is made anew. */
const storesOfADisk = 8;

interface PowerMeansOptions {
  readonly directory: string;
  readonly random: () => number;
}

/** A power cut: what was not synced is gone, and the file system replays its journal. */
export async function powerMeans({ directory, random }: PowerMeansOptions): Promise<CrashMeans> {
  const disk = new LoopDisk(directory);
  const helper = new ShutdownHelper();
  await disk.create();
  let stores = 0;
  return {
    newDirectory: async () => {
      stores += 1;
      if (stores % storesOfADisk === 0) {
        await disk.unmount();
        await disk.format();
      }
      const path = await disk.clearedPath('store');
      // Or the store before would be back after the next cut.
      await disk.sync();
      return path;
    },
    crash: async (writer) => {
      // Most writers are stopped first, as by a power cut; the others see the disk fail and may not trust it again.
      const stops = random() < 0.7;
      if (stops) writer.stop();
      const from = sharedMs();
      await helper.shutDown(disk.mountPoint);
      const to = sharedMs();
      if (!stops) await sleep(random() * 5);
      await writer.kill();
      await disk.unmount();
      await disk.mount();
      return stops ? {} : { failure: { from, to } };
    },
    // This process outlives the power cuts: nobody may find it holding a store that it has let go of.
    keep: () => disk.sync(),
    close: () => {
      helper.close();
      disk.close();
    },
  };
}
