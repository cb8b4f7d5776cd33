import type { Batch, BatchResult } from '../../../src/store/contract/commit.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import { poolOf } from '../../../src/store/postgres/open.ts';
import { readPostgresUrl } from '../../../src/store/postgres/url.ts';
import { defineStore, openDriver, type Store } from '../../../src/store/store.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import type { Clock } from '../../../src/time/clock.ts';
import type { WorkerOrders } from './line.ts';
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

const buryUnlocked = (schema: string): string => `UPDATE "${schema}".leases e SET until = 0, died = TRUE
  WHERE e.lock IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted
    AND ((l.classid::bigint << 32) | l.objid::bigint) = e.lock)`;

/** Takes every worker for dead whose session lock is gone, at once and whatever it does. */
function buryingAtOnce(store: Store, { url }: WorkerOrders): Store {
  const { servers, options } = readPostgresUrl(url);
  return defineStore(async (env, how) => {
    const driver = await openDriver(store, env, how);
    const pool = await poolOf(servers, 1);
    const bury = async (): Promise<void> => {
      const client = await pool.connect();
      try {
        await client.query({ text: buryUnlocked(options.schema ?? 'holdfast'), values: [], rowMode: 'array' });
      } finally {
        client.release();
      }
    };
    return withCalls(driver, {
      claim: async (request) => {
        if (request.type === 'due' || request.type === 'heartbeat') await bury();
        return driver.claim(request);
      },
    });
  });
}

/** Found out where a server shows what its standbys do not have. */
export const settlesByReading = 'a doubt is settled by reading only';

/** Ways to break a worker's store that the fleet has to find. */
export const workerMutants: Readonly<Record<string, (store: Store, orders: WorkerOrders) => Store>> = {
  'a lost session lock is taken for death': buryingAtOnce,
  'the fence is not checked': changed((driver) => ({
    commit: (batches) => Promise.all(batches.map((batch) => commitAnyway(driver, batch))),
  })),
  'leases end by the local clock': (store, { life }) =>
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
