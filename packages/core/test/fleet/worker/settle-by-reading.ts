import type { Batch, DoubtResult } from '../../../src/store/contract/commit.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';

/** Looks whether the batch is there, and believes what it sees: a way to settle a doubt that is found out. */
export async function settleByReading(
  driver: StoreDriver,
  { runId, expect, epoch, records }: Batch,
): Promise<DoubtResult> {
  const [record] = await driver.records({ runId, after: expect, order: 'oldest', limit: 1 });
  if (record !== undefined && record.text === records[0]?.text) return { outcome: 'committed' };
  const found = await driver.load({ runId, limit: 0 });
  return { outcome: 'absent', found: found?.header, epoch };
}
