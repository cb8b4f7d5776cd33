import { describe, expect, test } from 'vitest';
import { mutantsFor } from '../mutants.ts';
import { type DiskMutant, diskMutants } from './disk-mutants.ts';
import { exploreCrashes } from './explore-crashes.ts';

/** Enough to meet every kind of operation; `npm run test:faults` explores more. */
const slice = 1_500;
/** Most mutants are caught in the first hundred states; the rarest needs a full disk and torn sectors together. */
const patience = 12_000;

const known = new Set(diskMutants.map(({ name }) => name));
const mutants: readonly DiskMutant[] = [
  ...diskMutants,
  ...mutantsFor('disk', 'file').filter(({ name }) => !known.has(name)),
];

describe('file store on the simulated disk', () => {
  test('keeps every acknowledged commit whole after a power cut at any moment', async () => {
    const { states, inDoubt, violation } = await exploreCrashes({ states: slice, seed: 1 });
    expect(violation).toBeUndefined();
    expect(states).toBe(slice);
    expect(inDoubt).toBeGreaterThan(slice / 4);
  });

  test('explores the same states for the same seed', async () => {
    const once = await exploreCrashes({ states: 150, seed: 7 });
    expect(await exploreCrashes({ states: 150, seed: 7 })).toEqual(once);
  });

  test.for(mutants)('shows that $name $does', { timeout: 180_000 }, async (mutant) => {
    const { violation } = await exploreCrashes({ states: patience, mutant, fault: mutant.fault });
    expect(violation, `${mutant.name} breaks ${mutant.breaks} and goes unnoticed`).toBeDefined();
  });
});
