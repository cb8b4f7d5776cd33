import { reason } from '../../../src/store/store-fault.ts';
import { openPlace, type Place } from '../place/open-place.ts';
import type { Ledger } from './ledger.ts';
import { verifyStore } from './verify-store.ts';
import type { Violation } from './violation.ts';

/** What was found in a store after a fault. */
export interface Look {
  readonly violations: readonly Violation[];
  readonly mended: number;
}

/** Opens the store as it is, without a mutant, and compares it with what is known. */
export async function lookAt(place: Place, ledger: Ledger, probe: string): Promise<Look> {
  let mended = 0;
  const warn = (): void => {
    mended += 1;
  };
  try {
    const store = await openPlace({ ...place, mutant: undefined }, { warn });
    const violations = await verifyStore(store, ledger, { probe });
    await store.close();
    return { violations, mended };
  } catch (error) {
    return { violations: [{ kind: 'unusable', what: `opening it again: ${reason(error)}` }], mended };
  }
}
