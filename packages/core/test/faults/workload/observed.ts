import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import { say, sharedMs } from './line.ts';

/** Says when the driver begins and ends a commit: a kill in between hits a commit in flight. */
export function observed(driver: StoreDriver): StoreDriver {
  return withCalls(driver, {
    commit: async (batches) => {
      say({ type: 'group-start', at: sharedMs() });
      try {
        return await driver.commit(batches);
      } finally {
        say({ type: 'group-end', at: sharedMs() });
      }
    },
  });
}
