import { checkSeed } from './check-seed.ts';
import { mutants } from './mutants.ts';

/** A mutant that so many seeds do not show is not caught. They begin where the rarest are shown soon. */
const firstForMutants = 28;
const seedsForMutants = 400;

/** How many seeds it takes to catch a mutant, and what the last of them showed. */
export interface Caught {
  readonly name: string;
  readonly seeds: number;
  /** Undefined: it was not caught. */
  readonly violation: string | undefined;
}

/** Simulates a mutant until something is wrong. */
export async function catchMutant(name: string): Promise<Caught> {
  for (let seeds = 1; seeds <= seedsForMutants; seeds += 1) {
    // Some of them remember what they have seen.
    const mutant = mutants().find((each) => each.name === name);
    if (mutant === undefined) throw new Error(`There is no mutant ${name}.`);
    const { violations } = await checkSeed(firstForMutants + seeds - 1, mutant);
    if (violations.length > 0) return { name, seeds, violation: violations[0] };
  }
  return { name, seeds: seedsForMutants, violation: undefined };
}
