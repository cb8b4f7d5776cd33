import type { Store } from 'holdfast';
import type { Batch, StoreDriver } from 'holdfast/store';
import { withCalls } from '../../../src/testing/with-calls.ts';
import { changedStore } from '../proxied-store.ts';
import { settleByReading } from '../worker/settle-by-reading.ts';

type DoubtResult = Awaited<ReturnType<StoreDriver['resolveDoubt']>>;

const settling = (settle: (driver: StoreDriver, batch: Batch) => Promise<DoubtResult>): ((store: Store) => Store) =>
  changedStore((driver) => withCalls(driver, { resolveDoubt: (batch) => settle(driver, batch) }));

/** Ways to break a store that the cuts have to find. */
export const cutMutants: Readonly<Record<string, (store: Store) => Store>> = {
  'repeats a commit without looking': settling(async (_, { epoch, ...batch }) => {
    const found =
      batch.create === null ? ({ head: batch.expect, fence: batch.fence, hidden: false } as never) : undefined;
    return { outcome: 'absent', found, epoch };
  }),
  'settles a doubt by reading only': settling(settleByReading),
  'takes every doubt for a commit': settling(async () => ({ outcome: 'committed' })),
};
