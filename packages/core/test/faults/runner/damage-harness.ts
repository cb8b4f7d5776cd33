import {
  appendFileZeros,
  dropFileCommits,
  flipFileBits,
  shuffleFileLines,
  swapFiles,
  tearFileEnds,
} from '../damage/damage-file.ts';
import { changeSqliteCells, flipSqliteBits } from '../damage/damage-sqlite.ts';
import type { DamageTally } from '../damage/judge-damage.ts';
import type { Mutant, StoreName } from '../mutant/mutant.ts';
import { mutantNamed } from '../mutants.ts';
import type { Harness } from './harness.ts';
import type { LaneOrders } from './lane-result.ts';

type Damage = (mutant: Mutant | undefined) => Promise<DamageTally>;

const allBits = [0, 1, 2, 3, 4, 5, 6, 7];
/** Bytes that look like text still do with the one flipped, and do not with the other. */
const someBits = [0, 7];
/** Fewer cases than that are asked for where there is little time. */
const manyCases = 1_000_000;
const flips = 250;
/** A mutant shows itself in a part of the cases. */
const slice = { stride: 151, bits: [0, 5] };

function damagesOf(store: StoreName, cycles: number): readonly Damage[] {
  const bits = cycles < manyCases ? someBits : allBits;
  if (store === 'sqlite') {
    return [
      (mutant) => changeSqliteCells({ mutant }),
      ...bits.map(
        (bit): Damage =>
          (mutant) =>
            flipSqliteBits({ mutant, flips, seed: bit + 1 }),
      ),
    ];
  }
  return [
    ...bits.map(
      (bit): Damage =>
        (mutant) =>
          flipFileBits({ mutant, bits: [bit] }),
    ),
    (mutant) => shuffleFileLines({ mutant }),
    (mutant) => swapFiles({ mutant }),
    (mutant) => tearFileEnds({ mutant }),
    (mutant) => appendFileZeros({ mutant }),
    (mutant) => dropFileCommits({ mutant }),
  ];
}

const mutantDamages: Readonly<Record<StoreName, readonly Damage[]>> = {
  file: [(mutant) => swapFiles({ mutant }), (mutant) => flipFileBits({ ...slice, mutant })],
  sqlite: [(mutant) => changeSqliteCells({ mutant })],
};

/** Damage at every byte and bit: a cycle is one way to damage, all over a store. */
export function damageHarness({ store, mutant: name, cycles, part = 0, parts = 1 }: LaneOrders): Harness {
  const mutant = name === undefined ? undefined : mutantNamed(name);
  const list = mutant === undefined ? damagesOf(store, cycles * parts) : mutantDamages[store];
  const left = list.filter((_, at) => at % parts === part);
  return {
    cycle: async () => {
      const tally = await left.shift()?.(mutant);
      if (tally === undefined) return undefined;
      const { cases, counts, bad } = tally;
      return {
        cycles: cases,
        acknowledged: 0,
        inFlight: cases - (counts.get('unchanged') ?? 0),
        mended: counts.get('mended') ?? 0,
        violations: bad.map((what) => ({ kind: 'altered', what })),
      };
    },
    close: async () => {},
  };
}
