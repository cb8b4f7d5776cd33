import { nodeEnv } from '../../env/node-env.ts';
import type { Store } from '../../store/store.ts';
import { openStoreAt } from '../open-store-at.ts';
import type { StoreUrl } from '../store-at.ts';
import type { PromoteOptions, PromoteReport } from './promotion.ts';

/**
 * Copies all runs of a store into another one and compares them there record by record. The source is not changed, and
 * nothing of it is seen in the target before all of it has come. After a crash, call it again.
 *
 * @throws HOLDFAST_ID_TAKEN when the target has another run of the same id, HOLDFAST_CONFLICT when the source is written
 * to all the while, HOLDFAST_MISSING_KEY, HOLDFAST_CORRUPT
 */
export async function promote(
  from: StoreUrl | Store,
  to: StoreUrl | Store,
  options: PromoteOptions = {},
): Promise<PromoteReport> {
  const source = await openStoreAt(from, nodeEnv, options);
  try {
    const target = await openStoreAt(to, nodeEnv, options);
    try {
      const { promoteRuns } = await import('./promotion.ts');
      return await promoteRuns(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
