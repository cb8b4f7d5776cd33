import { CheckedStore } from '../../../src/store/checked-store.ts';
import { crashChoice } from '../../../src/testing/disk/crash-choice.ts';
import { SimulatedDisk } from '../../../src/testing/disk/simulated-disk.ts';
import { plainFiles } from '../disk/broken-files.ts';
import { openSimulated } from '../disk/open-simulated.ts';
import { simulatedEnv, startOfTime } from '../disk/simulated-world.ts';
import type { Mutant } from '../mutant/mutant.ts';
import { fillCompletely } from './complete-store.ts';
import type { StoreFile } from './corrupt-copies.ts';
import { type CorruptionTally, type Judgement, judgeCorruption } from './judge-corruption.ts';
import { type ReadAll, readAll } from './read-all.ts';

interface OpenOptions {
  readonly disk: SimulatedDisk;
  readonly mutant?: Mutant | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

/** Opens the file store of a simulated disk. */
async function openOn({ disk, mutant, warn }: OpenOptions): Promise<CheckedStore> {
  const files = plainFiles(disk);
  const env = simulatedEnv({ files: mutant?.files?.(files) ?? files, time: startOfTime(1), seed: 1, warn });
  const driver = await openSimulated(env);
  return new CheckedStore(mutant?.driver?.(driver) ?? driver, env);
}

/** A file store that is whole, in which anything can be corrupt. */
export class WholeStore {
  readonly disk: SimulatedDisk;
  readonly original: ReadAll;
  readonly #mutant: Mutant | undefined;
  readonly #earlier: ReadAll | undefined;

  private constructor({ disk, original, mutant, earlier }: WholeStoreParts) {
    this.disk = disk;
    this.original = original;
    this.#mutant = mutant;
    this.#earlier = earlier;
  }

  /** Makes a small store with some of everything; closed, or left as a killed process leaves it. */
  static async make({ mutant, end = 'closed', last }: MakeOptions = {}): Promise<WholeStore> {
    const disk = new SimulatedDisk();
    const store = await openOn({ disk, mutant });
    await fillCompletely(store);
    const earlier = last === undefined ? undefined : await readCopy(disk);
    await last?.(store);
    const original = await readCopy(disk);
    if (end === 'closed') await store.close();
    return new WholeStore({ disk, original, mutant, earlier });
  }

  /** Whether it is a mutant and has shown itself: then one bad end is as good as many. */
  isShown({ bad }: CorruptionTally): boolean {
    return this.#mutant !== undefined && bad.length > 0;
  }

  /** Its files. */
  files(): readonly StoreFile[] {
    return [...this.disk.contents()].map(([path, bytes]) => ({ path, bytes }));
  }

  /** A copy of the disk that can be corrupt. */
  copy(): SimulatedDisk {
    return copyOf(this.disk);
  }

  /** What becomes of the store when its files are changed like this. */
  async judge(change: (disk: SimulatedDisk) => void | Promise<void>): Promise<Judgement> {
    const disk = this.copy();
    await change(disk);
    const other = copyOf(disk);
    return judgeCorruption({
      open: (warn) => openOn({ disk, mutant: this.#mutant, warn }),
      reopen: (warn) => openOn({ disk: other, mutant: this.#mutant, warn }),
      original: this.original,
      earlier: this.#earlier,
    });
  }
}

function copyOf(disk: SimulatedDisk): SimulatedDisk {
  return disk.afterCrash(crashChoice('everything', Math.random));
}

/** What the store without any fault of its own gives. */
async function readCopy(disk: SimulatedDisk): Promise<ReadAll> {
  const read = await readAll(await openOn({ disk: copyOf(disk) }));
  if (read.corruption.length > 0) throw new Error(`The store is not whole: ${JSON.stringify(read.corruption)}`);
  return read;
}

interface WholeStoreParts {
  readonly disk: SimulatedDisk;
  readonly original: ReadAll;
  readonly mutant: Mutant | undefined;
  readonly earlier: ReadAll | undefined;
}

interface MakeOptions {
  readonly mutant?: Mutant | undefined;
  readonly end?: 'closed' | 'killed' | undefined;
  /** The last thing that is done: a torn end may take it away. */
  readonly last?: ((store: CheckedStore) => Promise<void>) | undefined;
}
