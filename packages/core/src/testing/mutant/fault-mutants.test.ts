import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoreDriver } from '../../store/contract/driver.ts';
import { type Fault, storeFault } from '../../store/store-fault.ts';
import { type Breakage, brokenPlace } from './breakage.ts';
import { differsFromModel } from './first-failure.ts';

/** Does something wrong with every seventh commit. */
function everySeventh(commit: (real: StoreDriver) => StoreDriver['commit']): Breakage {
  let count = 0;
  return ({ real }) => ({
    commit: (batches) => {
      count += 1;
      return count % 7 === 0 ? commit(real)(batches) : real.commit(batches);
    },
  });
}

/** Makes the commit, and then throws the fault. */
function failingAfterwards(fault: Omit<Fault, 'cause'>): Breakage {
  return everySeventh((real) => async (batches) => {
    await real.commit(batches);
    throw storeFault({ ...fault, cause: new Error('a lie') });
  });
}

const mutants: Readonly<Record<string, Breakage>> = {
  'nothing happened, it says, and something did': failingAfterwards({ effect: 'none' }),
  'it is poisoned and nothing happened, it says, and something did': failingAfterwards({
    effect: 'none',
    poisoned: true,
  }),
  'a commit is acknowledged and not made': everySeventh(() => async (batches) => batches.map(() => ({ ok: true }))),
  'a commit is made and refused': everySeventh((real) => async (batches) => {
    await real.commit(batches);
    return batches.map(() => ({ ok: false, why: 'head', found: undefined, epoch: 0 }));
  }),
};

describe('a store that does not tell the truth of its failures', () => {
  test.each(Object.entries(mutants))(
    'differs from the model while calls fail: %s',
    async (_, breakage) => {
      expect(await differsFromModel({ create: () => brokenPlace(breakage), fc, faulty: true })).toBe(true);
    },
    60_000,
  );

  test('is told from one that fails and says so', async () => {
    const honest = failingAfterwards({ effect: 'unknown' });
    expect(await differsFromModel({ create: () => brokenPlace(honest), fc, faulty: true })).toBe(false);
  }, 60_000);
});
