import { nodeEnv } from '../../env/node-env.ts';
import type { Store } from '../../store/store.ts';
import { openStoreAt } from '../open-store-at.ts';
import type { StoreUrl } from '../store-at.ts';
import type { PromoteOptions, PromoteReport } from './promotion.ts';

/**
 * Copies all runs of a store into another and compares them there record by record. The source does not change, and the
 * target shows nothing before everything has been copied. After a crash, call it again.
 *
 * @example
 * ```ts
 * const { runs, copied } = await promote('file:./runs', 'sqlite:./runs.db');
 * ```
 *
 * @throws HOLDFAST_ID_TAKEN when the target has a different run with the same id, HOLDFAST_CONFLICT when the source keeps
 * changing, HOLDFAST_MISSING_KEY, HOLDFAST_CORRUPT
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
      return await promoteRuns({ env: nodeEnv, source, target }, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
