import { nodeEnv } from '../env/node-env.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { openStore, type Store } from '../store/store.ts';
import type { PromoteOptions, PromoteReport } from './move/promotion.ts';
import { type StoreUrl, storeAt } from './store-at.ts';

/**
 * Copies all runs of a store into another one and compares them there record by record. The source is not changed, and
 * nothing of it is seen in the target before all of it has come. After a crash, call it again.
 *
 * @throws HOLDFAST_ID_TAKEN when the target has another run of the same id, HOLDFAST_CONFLICT when the source is written
 * to all the while, HOLDFAST_DAMAGED
 */
export async function promote(
  from: StoreUrl | Store,
  to: StoreUrl | Store,
  options: PromoteOptions = {},
): Promise<PromoteReport> {
  const source = await openAt(from);
  try {
    const target = await openAt(to);
    try {
      const { promoteRuns } = await import('./move/promotion.ts');
      return await promoteRuns(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openAt(store: StoreUrl | Store): Promise<CheckedStore> {
  return openStore(typeof store === 'string' ? await storeAt(store) : store, nodeEnv);
}
