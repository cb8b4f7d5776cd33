import type { Batch, BatchResult } from '../../../src/store/contract/commit.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import { defineStore, openDriver, type Store } from '../../../src/store/store.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { settleByReading } from './settle-by-reading.ts';

const changed = (change: (driver: StoreDriver) => Partial<StoreDriver>): ((store: Store) => Store) => {
  return (store) =>
    defineStore(async (env, how) => {
      const driver = await openDriver(store, env, how);
      return withCalls(driver, change(driver));
    });
};

/** Commits with whatever fence the run has now. */
async function commitAnyway(driver: StoreDriver, batch: Batch): Promise<BatchResult> {
  const [result] = await driver.commit([batch]);
  if (result === undefined || result.ok || result.why !== 'fence' || result.found === undefined)
    return result as BatchResult;
  const { fence, head, epoch } = { ...result.found, epoch: result.epoch };
  const shift = head - batch.expect;
  const records = batch.records.map((record) => ({ ...record, seq: record.seq + shift }));
  const [again] = await driver.commit([{ ...batch, fence, epoch, expect: head, records }]);
  return again as BatchResult;
}

/** Found out where a server shows what its standbys do not have. */
export const settlesByReading = 'a doubt is settled by reading only';

/** Ways to break a worker's store that the fleet has to find. */
export const workerMutants: Readonly<Record<string, (store: Store, life: number) => Store>> = {
  'the fence is not checked': changed((driver) => ({
    commit: (batches) => Promise.all(batches.map((batch) => commitAnyway(driver, batch))),
  })),
  'leases end by the local clock': (store, life) =>
    defineStore((env, how) => {
      const ahead = life % 2 === 0 ? 3_600_000 : 0;
      const clock: Clock = {
        now: () => env.clock.now() + ahead,
        sleep: (ms, signal, options) => env.clock.sleep(ms, signal, options),
      };
      return openDriver(store, { ...env, clock }, how);
    }),
  'hints are relied on': changed((driver) => {
    let isHinted = true;
    driver.watch(() => {
      isHinted = true;
    });
    return {
      claim: async (request) => {
        if (request.type !== 'due') return driver.claim(request);
        const asks = isHinted;
        isHinted = false;
        if (asks) return driver.claim(request);
        const { now } = await driver.claim({ type: 'heartbeat', worker: request.worker, leaseMs: request.leaseMs });
        return { claimed: [], corrupt: [], granted: false, now, nextDueAt: null };
      },
    };
  }),
  [settlesByReading]: changed((driver) => ({ resolveDoubt: (batch) => settleByReading(driver, batch) })),
};
