import { describe, expect, test } from 'vitest';
import { mutantsFor } from '../mutants.ts';
import { type DiskMutant, diskMutants } from './disk-mutants.ts';
import { exploreCrashes } from './explore-crashes.ts';
import type { TroubleKind } from './trouble.ts';

/** A slice, enough to meet every kind of operation; `npm run test:faults` explores more. */
const slice = 400;
/** Most mutants are caught in the first hundred states; the rarest needs a full disk and torn sectors together. */
const patience = 12_000;

/** Workloads that have shown faults of the file store, by the trouble that they met; what they were is in the log. */
const seedsOfFaults: readonly { readonly seed: number; readonly fault?: TroubleKind }[] = [
  { seed: 9, fault: 'sync-directory' },
  { seed: 147, fault: 'sync-directory' },
  { seed: 26, fault: 'kill' },
  { seed: 71 },
];

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

  test.each(['sync-directory', 'kill'] as const)(
    'keeps them also when every workload meets trouble: %s',
    async (fault) => {
      const { states, violation } = await exploreCrashes({ states: slice / 2, seed: 1, fault });
      expect(violation).toBeUndefined();
      expect(states).toBe(slice / 2);
    },
  );

  test.each(seedsOfFaults)('does not fail again as with seed $seed', async ({ seed, fault }) => {
    expect((await exploreCrashes({ states: 300, seed, fault })).violation).toBeUndefined();
  });

  test('explores the same states for the same seed', async () => {
    const once = await exploreCrashes({ states: 60, seed: 7 });
    expect(await exploreCrashes({ states: 60, seed: 7 })).toEqual(once);
  });

  test.for(mutants)('shows that $name $does', async (mutant) => {
    const { violation } = await exploreCrashes({ states: patience, mutant, fault: mutant.fault, seed: mutant.seed });
    expect(violation, `${mutant.name} breaks ${mutant.breaks} and goes unnoticed`).toBeDefined();
  });
});
