import type { Env } from '../../../env/env.ts';
import { isCount, isText, isTime, listOf, objectOf } from '../../../value/data-shape.ts';
import { faultOf } from '../../store-fault.ts';
import { SealedFile } from '../folder/sealed-file.ts';

/** The file with the epochs of runs that do not exist. */
export const voidsFile = 'voids.json';

/** How long an epoch is kept. */
const keptMs = 86_400_000;

interface Void {
  readonly runId: string;
  readonly epoch: number;
  readonly at: number;
}

interface Voids {
  readonly voids: readonly Void[];
}

const isVoids = objectOf({ voids: listOf(objectOf({ runId: isText, epoch: isCount, at: isTime })) });

/** The epochs of runs that do not exist: their creation was in doubt, or they were removed. */
export class VoidEpochs {
  readonly #env: Env;
  readonly #file: SealedFile<Voids>;
  #voids: readonly Void[] = [];

  private constructor(env: Env, root: string) {
    this.#env = env;
    const remedy = 'Remove it: it only matters to commits that were in flight.';
    this.#file = new SealedFile({ files: env.files, root, name: voidsFile, remedy, fits: isVoids });
  }

  /** @throws HOLDFAST_CORRUPT */
  static async read(env: Env, root: string): Promise<VoidEpochs> {
    const epochs = new VoidEpochs(env, root);
    epochs.#voids = (await epochs.#file.read())?.voids ?? [];
    return epochs;
  }

  of(runId: string): number {
    return this.#voids.find((each) => each.runId === runId)?.epoch ?? 0;
  }

  async raise(runId: string): Promise<number> {
    const epoch = this.of(runId) + 1;
    await this.keep(runId, epoch);
    return epoch;
  }

  /** Counts also where the disk is full: only this process could still commit the batch in doubt. */
  async keep(runId: string, epoch: number): Promise<void> {
    const at = this.#env.clock.now();
    const others = this.#voids.filter((each) => each.runId !== runId && each.at >= at - keptMs);
    this.#voids = [...others, { runId, epoch, at }];
    await this.#file.write({ voids: this.#voids }).catch((error: unknown) => {
      if (faultOf(error).poisoned) throw error;
    });
  }

  /** The run exists, and its header has the epoch. */
  delete(runId: string): void {
    if (this.#voids.length > 0) this.#voids = this.#voids.filter((each) => each.runId !== runId);
  }
}
