import type { Env } from '../../src/env/env.ts';
import type { Machine } from '../../src/env/machine.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import { openFileDriver } from '../../src/store/file/open.ts';
import { crashChoice, crashWays } from '../../src/testing/disk/crash-choice.ts';
import { SimulatedDisk } from '../../src/testing/disk/simulated-disk.ts';
import type { World } from './world.ts';

/** Whoever opened the store before is dead: a process of this place begins when the one before it has died. */
const machine: Machine = {
  self: () => ({ pid: 1, started: '1', boot: 'boot', space: null, host: 'host' }),
  mayLive: () => false,
};

/** A directory on a simulated disk, in which one process at a time has its store. */
export class FilePlace {
  readonly #world: World;
  #disk: SimulatedDisk;
  #changesLeft = Number.POSITIVE_INFINITY;
  #onCut: () => void = () => {};

  constructor(world: World) {
    this.#world = world;
    this.#disk = new SimulatedDisk(this.#options());
  }

  /** The files as the next process finds them. */
  get files(): SimulatedDisk {
    return this.#disk;
  }

  open(env: Env): Promise<StoreDriver> {
    return openFileDriver({ dir: '/store', env: { ...env, files: this.#disk }, machine });
  }

  /** After so many more changes of the disk the power fails. */
  cutAfter(changes: number, onCut: () => void): void {
    this.#changesLeft = changes;
    this.#onCut = onCut;
  }

  /** The power fails: what was not synced may be there or not. */
  cut(): void {
    this.#changesLeft = Number.POSITIVE_INFINITY;
    const way = this.#world.pick(crashWays);
    this.#disk = this.#disk.afterCrash(crashChoice(way, this.#world.random), this.#options());
  }

  #options(): { readonly seed: number; readonly onChange: () => void } {
    return { seed: this.#world.below(2 ** 31), onChange: () => this.#changed() };
  }

  #changed(): void {
    this.#changesLeft -= 1;
    if (this.#changesLeft !== 0) return;
    this.#onCut();
  }
}
