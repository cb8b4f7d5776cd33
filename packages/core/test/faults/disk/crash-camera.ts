import { crc32 } from 'node:zlib';
import { type CrashWay, crashChoice, crashWays } from '../../../src/testing/disk/crash-choice.ts';
import type { SimulatedDisk } from '../../../src/testing/disk/simulated-disk.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import type { Ledger, LedgerNote } from './ledger.ts';

/** A disk as it may be found after a power cut, with what the store had promised by then. */
export interface CrashState {
  /** The moment and the way, the same for the same seed. */
  readonly name: string;
  readonly disk: SimulatedDisk;
  readonly note: LedgerNote;
}

interface CrashCameraOptions {
  readonly seed: number;
  readonly ledger: Ledger;
  /** How many ways of losing what is not synced are tried at each moment. */
  readonly ways: number;
}

/** Takes pictures of a disk as a power cut would leave it, while the store keeps working; none twice. */
export class CrashCamera {
  readonly states: CrashState[] = [];
  readonly #options: CrashCameraOptions;
  readonly #random: () => number;
  readonly #seen = new Set<string>();
  #moments = 0;

  constructor(options: CrashCameraOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed ^ 0x5eed);
  }

  take(disk: SimulatedDisk, what: string): void {
    this.#moments += 1;
    const note = this.#options.ledger.note();
    const { revision } = this.#options.ledger;
    for (const way of this.#someWays(disk.isDirty)) {
      const after = disk.afterCrash(crashChoice(way, this.#random));
      const picture = `${revision} ${fingerprint(after)}`;
      if (this.#seen.has(picture)) continue;
      this.#seen.add(picture);
      this.states.push({ name: `moment ${this.#moments} (${what}), surviving: ${way}`, disk: after, note });
    }
  }

  /** Where all is synced every way gives the same. */
  #someWays(isDirty: boolean): readonly CrashWay[] {
    if (!isDirty) return ['nothing'];
    const left = [...crashWays];
    return Array.from({ length: this.#options.ways }, () => {
      const [way] = left.splice(Math.floor(this.#random() * left.length), 1);
      return way as CrashWay;
    });
  }
}

function fingerprint(disk: SimulatedDisk): string {
  let sums = [0, 1];
  for (const [path, bytes] of disk.contents()) {
    sums = sums.map((sum) => crc32(bytes, crc32(`${path} ${bytes.length}`, sum)));
  }
  return sums.join('-');
}
