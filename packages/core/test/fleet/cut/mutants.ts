import type { Store } from 'holdfast';
import type { Batch, StoreDriver } from 'holdfast/store';
import { withCalls } from '../../../src/testing/with-calls.ts';
import { changedStore } from '../proxied-store.ts';

type DoubtResult = Awaited<ReturnType<StoreDriver['resolveDoubt']>>;

async function absent(driver: StoreDriver, { runId, epoch }: Batch): Promise<DoubtResult> {
  const found = await driver.load({ runId, limit: 0 });
  return { outcome: 'absent', found: found?.header, epoch };
}

/** Looks whether the batch is there, and believes what it sees. */
async function onlyRead(driver: StoreDriver, batch: Batch): Promise<DoubtResult> {
  const [record] = await driver.records({ runId: batch.runId, after: batch.expect, order: 'oldest', limit: 1 });
  const isThere = record !== undefined && record.text === batch.records[0]?.text;
  return isThere ? { outcome: 'committed' } : absent(driver, batch);
}

const settling = (settle: (driver: StoreDriver, batch: Batch) => Promise<DoubtResult>): ((store: Store) => Store) =>
  changedStore((driver) => withCalls(driver, { resolveDoubt: (batch) => settle(driver, batch) }));

/** Ways to break a store that the cuts have to find. */
export const cutMutants: Readonly<Record<string, (store: Store) => Store>> = {
  'repeats a commit without looking': settling(async (_, { epoch, ...batch }) => {
    const found =
      batch.create === null ? ({ head: batch.expect, fence: batch.fence, hidden: false } as never) : undefined;
    return { outcome: 'absent', found, epoch };
  }),
  'settles a doubt by reading only': settling(onlyRead),
  'takes every doubt for a commit': settling(async () => ({ outcome: 'committed' })),
};
