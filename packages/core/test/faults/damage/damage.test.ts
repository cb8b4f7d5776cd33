import { describe, expect, test } from 'vitest';
import type { Mutant } from '../mutant/mutant.ts';
import {
  appendFileZeros,
  dropFileCommits,
  flipFileBits,
  shuffleFileLines,
  swapFiles,
  tearFileEnds,
} from './damage-file.ts';
import { damageMutants } from './damage-mutants.ts';
import { changeSqliteCells, flipSqliteBits } from './damage-sqlite.ts';
import type { DamageTally } from './judge-damage.ts';

/** Slices: every so many of all cases. `npm run test:faults` damages every byte. */
const flipSlice = { stride: 401, bits: [0, 5] };
const tearStride = 43;
const cellStride = 23;
const flips = 40;

/** A mutant shows itself in a part of the cases, and that ends its search. */
const mutantSlice = { stride: 151, bits: [0, 5] };

/** The first few of the cases that ended badly; that there were none at all would prove nothing. */
function badOf(tally: DamageTally): readonly string[] {
  return tally.cases === 0 ? ['nothing was damaged'] : tally.bad.slice(0, 5);
}

describe('damage of a file store, a slice', () => {
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

  test('cannot see that whole commits were taken off the end, as DESIGN says', async () => {
    expect(badOf(await dropFileCommits())).toEqual([]);
  });
});

describe('damage of a SQLite store, a slice', () => {
  test('finds a changed byte in any column of any row of any table', async () => {
    expect(badOf(await changeSqliteCells({ stride: cellStride }))).toEqual([]);
  });

  test('gives no wrong data after a flipped bit of the file', async () => {
    expect(badOf(await flipSqliteBits({ flips, seed: 3 }))).toEqual([]);
  });
});

const fileMutants = damageMutants.filter(({ stores }) => stores.includes('file'));
const sqliteMutants = damageMutants.filter(({ stores }) => stores.includes('sqlite'));

describe('mutants', () => {
  test.for(fileMutants)('shows that a file store with $name $does', { timeout: 120_000 }, async (mutant) => {
    expect(await isShownByFiles(mutant), `${mutant.name} breaks ${mutant.breaks} and goes unnoticed`).toBe(true);
  });

  test.for(sqliteMutants)('shows that a SQLite store with $name $does', async (mutant) => {
    const { bad } = await changeSqliteCells({ mutant, stride: 1 });
    expect(bad.length, `${mutant.name} breaks ${mutant.breaks} and goes unnoticed`).toBeGreaterThan(0);
  });
});

async function isShownByFiles(mutant: Mutant): Promise<boolean> {
  if ((await swapFiles({ mutant })).bad.length > 0) return true;
  return (await flipFileBits({ ...mutantSlice, mutant })).bad.length > 0;
}
