import {
  appendFileZeros,
  type CorruptionOptions,
  dropFileCommits,
  flipFileBits,
  shuffleFileLines,
  swapFiles,
  tearFileEnds,
} from '../corruption/corruption-file.ts';
import { changeSqliteCells, flipSqliteBits } from '../corruption/corruption-sqlite.ts';
import type { CorruptionTally, Verdict } from '../corruption/judge-corruption.ts';
import { raiseFileFormat, raiseSqliteFormat } from '../corruption/newer-format.ts';
import type { StoreName } from '../mutant/mutant.ts';
import { mutantNamed } from '../mutants.ts';
import type { ViolationKind } from '../verify/violation.ts';
import type { Harness } from './harness.ts';
import type { LaneOrders } from './lane-result.ts';
import { Watchdog } from './watchdog.ts';

type Corruption = (common: Pick<CorruptionOptions, 'mutant' | 'onCase'>) => Promise<CorruptionTally>;

const allBits = [0, 1, 2, 3, 4, 5, 6, 7];
/** Bytes that look like text still do with the one flipped, and do not with the other. */
const someBits = [0, 7];
/** Fewer cases than that are asked for where there is little time. */
const manyCases = 1_000_000;
/** The bytes of a database are shared out among so many cycles, so that lanes can share them; odd, or bits would be too. */
const shares = 5;
/** A mutant shows itself in a part of the cases. */
const slice = { stride: 151, bits: [0, 5] };

function corruptionsOf(store: StoreName, cycles: number): readonly Corruption[] {
  const isLong = cycles >= manyCases;
  if (store === 'sqlite') {
    const passes = isLong ? allBits : [0];
    return [
      changeSqliteCells,
      raiseSqliteFormat,
      ...passes.flatMap((pass) => Array.from({ length: shares }, (_, offset) => flipsOf(pass, offset))),
    ];
  }
  const bits = isLong ? allBits : someBits;
  return [
    ...bits.map(
      (bit): Corruption =>
        (common) =>
          flipFileBits({ ...common, bits: [bit] }),
    ),
    raiseFileFormat,
    shuffleFileLines,
    swapFiles,
    tearFileEnds,
    appendFileZeros,
    dropFileCommits,
  ];
}

function flipsOf(pass: number, offset: number): Corruption {
  return (common) => flipSqliteBits({ ...common, pass, offset, stride: shares });
}

const mutantCorruptions: Readonly<Record<StoreName, readonly Corruption[]>> = {
  file: [raiseFileFormat, swapFiles, (common) => flipFileBits({ ...slice, ...common })],
  sqlite: [raiseSqliteFormat, changeSqliteCells],
};

/** What a bad end is among all that can be wrong with a store. */
const kinds: Readonly<Record<Verdict, ViolationKind>> = {
  wrong: 'altered',
  lost: 'lost',
  mended: 'lost',
  verified: 'lost',
  crashed: 'unusable',
  refused: 'unusable',
  found: 'promise',
  nowhere: 'promise',
  unchanged: 'promise',
  unverified: 'promise',
};

/** Corruption at every byte and bit: a cycle is one way to corruption, all over a store. */
export function corruptionHarness({ store, mutant: name, cycles, part = 0, parts = 1 }: LaneOrders): Harness {
  const mutant = name === undefined ? undefined : mutantNamed(name);
  const list = mutant === undefined ? corruptionsOf(store, cycles * parts) : mutantCorruptions[store];
  const left = list.filter((_, at) => at % parts === part);
  const watchdog = new Watchdog();
  const onCase = (what: string): void => watchdog.see(what);
  return {
    cycle: async () => {
      const tally = await left.shift()?.({ mutant, onCase });
      if (tally === undefined) return undefined;
      const { cases, counts, bad } = tally;
      return {
        cycles: cases,
        acknowledged: 0,
        hits: cases - (counts.get('unchanged') ?? 0),
        mended: counts.get('mended') ?? 0,
        violations: bad.map(({ verdict, what }) => ({ kind: kinds[verdict], what })),
      };
    },
    close: () => watchdog.close(),
  };
}
