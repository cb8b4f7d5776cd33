import type { Store } from 'holdfast';
import { defineStore } from 'holdfast/store';
import type { Batch } from '../../src/store/contract/commit.ts';
import type { ClaimRequest } from '../../src/store/contract/lease.ts';
import { openDriver } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { gate } from './every-place.ts';

interface Held {
  /** Commits that are made only when the test lets them. */
  readonly commit?: (batch: Batch) => boolean;
  /** Claims that are answered only when the test lets them. */
  readonly claim?: (request: ClaimRequest) => boolean;
}

/** The store, with calls that do not go on until the test lets them. */
export function heldStore(inside: Store, held: Held) {
  const [reached, told] = [gate(), gate()];
  const fences: (number | null)[] = [];
  const hold = async (): Promise<void> => {
    reached.open();
    await told.opened;
  };
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    return withCalls(driver, {
      commit: async (batches) => {
        if (held.commit !== undefined && batches.some(held.commit)) await hold();
        for (const { fence } of batches) fences.push(fence);
        return driver.commit(batches);
      },
      claim: async (request) => {
        const result = await driver.claim(request);
        if (held.claim?.(request) === true) await hold();
        return result;
      },
    });
  });
  return { store, reached, told, fences };
}
