import { describe, expect, test } from 'vitest';
import { checkSeed } from './check-seed.ts';
import { mutants } from './mutants.ts';
import { runSeeds } from './run-seeds.ts';
import { shortcomings, told } from './totals.ts';

/** A mutant that so many seeds do not show is not caught. */
const seedsForMutants = 60;

describe('the simulation', () => {
  test('finds nothing in 1,000 seeds', { timeout: 240_000 }, async () => {
    const totals = await runSeeds({ from: 1, count: 1_000 }, ({ failures }) => failures.length < 5);
    expect(totals.failures).toEqual([]);
    expect(shortcomings(totals), told(totals)).toEqual([]);
  });

  test.each(mutants().map(({ name }) => name))('catches %s', { timeout: 120_000 }, async (name) => {
    expect(await isCaught(name)).toBe(true);
  });
});

async function isCaught(name: string): Promise<boolean> {
  for (let seed = 1; seed <= seedsForMutants; seed += 1) {
    // Some of them remember what they have seen.
    const mutant = mutants().find((each) => each.name === name);
    const { violations } = await checkSeed(seed, mutant);
    if (violations.length > 0) return true;
  }
  return false;
}
