import { describe, expect, test } from 'vitest';
import type { Mutant } from '../mutant/mutant.ts';
import {
  appendFileZeros,
  dropFileCommits,
  flipFileBits,
  shuffleFileLines,
  swapFiles,
  tearFileEnds,
} from './corruption-file.ts';
import { corruptionMutants } from './corruption-mutants.ts';
import { changeSqliteCells, flipSqliteBits } from './corruption-sqlite.ts';
import type { CorruptionTally } from './judge-corruption.ts';
import { raiseFileFormat, raiseSqliteFormat } from './newer-format.ts';

/** Slices: every so many of all cases. `npm run test:faults` corruptions every byte. */
const flipSlice = { stride: 401, bits: [0, 5] };
const tearStride = 43;
const cellStride = 23;
/** No multiple of 8, or all would flip the same bit. */
const flipStride = 163;

/** A mutant shows itself in a part of the cases, and that ends its search. */
const mutantSlice = { stride: 151, bits: [0, 5] };

/** The first few of the cases that ended badly; that there were none at all would prove nothing. */
function badOf(tally: CorruptionTally): readonly string[] {
  return tally.cases === 0 ? ['nothing was corrupt'] : tally.bad.slice(0, 5).map(({ what }) => what);
}

describe('corruption of a file store, a slice', () => {
  test('finds a flipped bit in any file', async () => {
    expect(badOf(await flipFileBits(flipSlice))).toEqual([]);
  });

  test('finds lines that were dropped, doubled or swapped', async () => {
    expect(badOf(await shuffleFileLines())).toEqual([]);
  });

  test('finds files that were swapped', async () => {
    expect(badOf(await swapFiles())).toEqual([]);
  });

  test('mends a last commit that was cut or zeroed at any byte, and says so', async () => {
    expect(badOf(await tearFileEnds({ stride: tearStride }))).toEqual([]);
  });

  test('cuts off zeros after the end and loses nothing', async () => {
    expect(badOf(await appendFileZeros())).toEqual([]);
  });

  test('refuses what a newer version has made, and writes nothing', async () => {
    expect(badOf(await raiseFileFormat())).toEqual([]);
  });

  test('cannot see that whole commits were taken off the end, as DESIGN says', async () => {
    expect(badOf(await dropFileCommits())).toEqual([]);
  });
});

describe('corruption of a SQLite store, a slice', () => {
  test('finds a changed byte in any column of any row of any table', async () => {
    expect(badOf(await changeSqliteCells({ stride: cellStride }))).toEqual([]);
  });

  test('refuses what a newer version has made, and writes nothing', async () => {
    expect(badOf(await raiseSqliteFormat())).toEqual([]);
  });

  test('gives no wrong data after a flipped bit of the file', async () => {
    expect(badOf(await flipSqliteBits({ stride: flipStride, pass: 3 }))).toEqual([]);
  });
});

const fileMutants = corruptionMutants.filter(({ stores }) => stores.includes('file'));
const sqliteMutants = corruptionMutants.filter(({ stores }) => stores.includes('sqlite'));

describe('mutants', () => {
  test.for(fileMutants)('shows that a file store with $name $does', async (mutant) => {
    expect(await isShownByFiles(mutant), `${mutant.name} breaks ${mutant.breaks} and goes unnoticed`).toBe(true);
  });

  test.for(sqliteMutants)('shows that a SQLite store with $name $does', async (mutant) => {
    expect(await isShownBySqlite(mutant), `${mutant.name} breaks ${mutant.breaks} and goes unnoticed`).toBe(true);
  });
});

async function isShownBySqlite(mutant: Mutant): Promise<boolean> {
  if ((await raiseSqliteFormat({ mutant })).bad.length > 0) return true;
  return (await changeSqliteCells({ mutant })).bad.length > 0;
}

async function isShownByFiles(mutant: Mutant): Promise<boolean> {
  if ((await raiseFileFormat({ mutant })).bad.length > 0) return true;
  if ((await swapFiles({ mutant })).bad.length > 0) return true;
  return (await flipFileBits({ ...mutantSlice, mutant })).bad.length > 0;
}
