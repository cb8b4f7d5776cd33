import { corruptionMutants } from './corruption/corruption-mutants.ts';
import { diskMutants } from './disk/disk-mutants.ts';
import { driverMutants } from './mutant/driver-mutants.ts';
import { filesMutants } from './mutant/files-mutants.ts';
import { machineMutants } from './mutant/machine-mutants.ts';
import type { HarnessName, Mutant, StoreName } from './mutant/mutant.ts';
import { sqliteMutants } from './mutant/sqlite-mutants.ts';

/** Every mutant, by name: what it breaks and which harness must catch it. */
export const mutants: readonly Mutant[] = [
  ...driverMutants,
  ...filesMutants,
  ...sqliteMutants,
  ...machineMutants,
  ...diskMutants,
  ...corruptionMutants,
];

/** The mutant with this name. */
export function mutantNamed(name: string): Mutant {
  const found = mutants.find((mutant) => mutant.name === name);
  if (found === undefined)
    throw new Error(`There is no mutant ${name}. Known: ${mutants.map((each) => each.name).join(', ')}.`);
  return found;
}

/** The mutants of a store that a harness must catch. */
export function mutantsFor(harness: HarnessName, store: StoreName): readonly Mutant[] {
  return mutants.filter(({ caughtBy, stores }) => caughtBy.includes(harness) && stores.includes(store));
}
