import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, BatchResult } from '../../../src/store/contract/commit.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import type { RunsPage } from '../../../src/store/contract/read.ts';
import { faultOf, storeFault } from '../../../src/store/store-fault.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import type { Mutant, StoreName } from './mutant.ts';

const both: readonly StoreName[] = ['file', 'sqlite'];

/** Mutants above the driver: any store can be broken like this. */
export const driverMutants: readonly Mutant[] = [
  {
    name: 'acknowledge-before-commit',
    does: 'answers a commit of known runs before the driver has it',
    breaks: 'P1',
    stores: both,
    caughtBy: ['kill', 'power'],
    driver: (driver) => {
      let last: Promise<unknown> = Promise.resolve();
      const after = <T>(work: () => Promise<T>): Promise<T> => {
        const next = last.then(() => later(2)).then(work);
        last = next.catch(() => {});
        return next;
      };
      return withCalls(driver, {
        commit: async (batches) => {
          const done = after(async () => driver.commit(batches));
          if (batches.some(({ create }) => create !== null)) return done;
          done.catch(() => {});
          return batches.map((): BatchResult => ({ ok: true }));
        },
        trim: (plan) => after(() => driver.trim(plan)),
      });
    },
  },
  {
    name: 'split-batch',
    does: 'commits the records of a batch one by one',
    breaks: 'P2',
    stores: both,
    caughtBy: ['kill', 'power'],
    driver: (driver) =>
      withCalls(driver, {
        commit: (batches) => Promise.all(batches.map((batch) => commitApart(driver, batch))),
      }),
  },
  {
    name: 'late-snapshot',
    does: 'keeps the snapshot of a batch for the next batch of the run',
    breaks: 'P2',
    stores: both,
    caughtBy: ['kill', 'power'],
    driver: (driver) => {
      const kept = new Map<string, Batch['snapshot']>();
      return withCalls(driver, {
        commit: (batches) =>
          driver.commit(
            batches.map((batch) => {
              const snapshot = kept.get(batch.runId) ?? null;
              kept.set(batch.runId, batch.snapshot);
              return { ...batch, snapshot };
            }),
          ),
      });
    },
  },
  {
    name: 'buffered-batches',
    does: 'gathers batches for some milliseconds and acknowledges them at once',
    breaks: 'P1',
    stores: both,
    caughtBy: ['kill', 'power'],
    driver: buffering,
  },
  {
    name: 'forget-header',
    does: 'leaves out what a batch says of the header',
    breaks: 'P2',
    stores: both,
    caughtBy: ['kill', 'power'],
    driver: (driver) =>
      withCalls(driver, {
        commit: (batches) =>
          driver.commit(batches.map((batch) => (batch.create === null ? { ...batch, header: {} } : batch))),
      }),
  },
  {
    name: 'acknowledge-failure',
    does: 'answers a failed commit as a done one',
    breaks: 'P1',
    stores: both,
    caughtBy: ['syscall', 'full-disk'],
    shownBy: 'EIO',
    driver: (driver) =>
      withCalls(driver, {
        commit: (batches) =>
          Promise.resolve(driver.commit(batches)).catch(() => batches.map((): BatchResult => ({ ok: true }))),
      }),
  },
  {
    name: 'guess-undone',
    does: 'says of a commit in doubt that nothing of it happened',
    breaks: 'P10',
    stores: ['sqlite'],
    caughtBy: ['syscall'],
    shownBy: 'EIO and die',
    driver: (driver) =>
      withCalls(driver, {
        commit: async (batches) => {
          try {
            return await driver.commit(batches);
          } catch (error) {
            throw storeFault({ ...faultOf(error), effect: 'none' });
          }
        },
      }),
  },
  {
    name: 'never-recover',
    does: 'refuses everything once a commit has failed',
    breaks: 'full-disk',
    stores: both,
    caughtBy: ['full-disk'],
    driver: (driver) => {
      let failure: Promise<never> | undefined;
      return withCalls(driver, {
        commit: (batches) => {
          const result = failure ?? Promise.resolve(driver.commit(batches));
          result.catch((error: unknown) => {
            failure = Promise.reject(error);
            failure.catch(() => {});
          });
          return result;
        },
      });
    },
  },
  {
    name: 'goes-back',
    does: 'lists, now and then, the runs of some time ago',
    breaks: 'P5',
    stores: ['file'],
    caughtBy: ['processes'],
    driver: (driver) => {
      const lists: RunsPage[] = [];
      return withCalls(driver, {
        runs: async (query) => {
          const list = await driver.runs(query);
          if (query.runIds !== undefined) return list;
          lists.push(list);
          return lists.length % 3 === 0 ? (lists.at(-3) ?? list) : list;
        },
      });
    },
  },
  {
    name: 'drop-fence',
    does: 'commits whatever fence a batch names',
    breaks: 'P4',
    stores: ['sqlite'],
    caughtBy: ['processes'],
    driver: (driver) =>
      withCalls(driver, {
        commit: (batches) => driver.commit(batches.map((batch) => ({ ...batch, fence: null }))),
      }),
  },
  {
    name: 'ignore-lease',
    does: 'claims a run whether its worker lives or not',
    breaks: 'P4',
    stores: ['sqlite'],
    caughtBy: ['processes'],
    driver: (driver) =>
      withCalls(driver, {
        claim: async (request) => {
          if (request.type === 'one') {
            for (const worker of ['worker-a', 'worker-b'])
              await driver.claim({ type: 'release', worker, runIds: [request.runId] });
          }
          return driver.claim(request);
        },
      }),
  },
];

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function commitApart(driver: StoreDriver, batch: Batch): Promise<BatchResult> {
  const last = batch.records.length - 1;
  for (const [at, record] of batch.records.entries()) {
    const [result] = await driver.commit([
      {
        ...batch,
        records: [record],
        expect: batch.expect + at,
        create: at === 0 ? batch.create : null,
        fence: at === 0 || batch.create === null ? batch.fence : batch.create.worker === null ? null : 1,
        snapshot: at === last ? batch.snapshot : null,
        release: at === last && batch.release,
      },
    ]);
    if (result?.ok !== true) return result ?? { ok: true };
    // On a fast disk hardly a crash would fall between two of them.
    if (at < last) await sleep(2);
  }
  return { ok: true };
}

function buffering(driver: StoreDriver): StoreDriver {
  let waiting: Batch[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const flush = (): Promise<unknown> => {
    const batches = waiting;
    waiting = [];
    last = last.then(async () => {
      for (const batch of batches) await driver.commit([batch]);
    });
    return last;
  };
  const after = async <T>(look: () => Promise<T>): Promise<T> => {
    await flush();
    return look();
  };
  return withCalls(driver, {
    commit: async (batches) => {
      if (batches.some(({ create }) => create !== null)) return after(async () => driver.commit(batches));
      if (waiting.length === 0) setTimeout(() => void flush().catch(() => {}), 5);
      waiting.push(...batches);
      return batches.map((): BatchResult => ({ ok: true }));
    },
    resolveDoubt: (batch) => after(() => driver.resolveDoubt(batch)),
    load: (query) => after(() => driver.load(query)),
    records: (query) => after(() => driver.records(query)),
    runs: (query) => after(() => driver.runs(query)),
    trim: (plan) => after(() => driver.trim(plan)),
    close: () => after(() => driver.close()),
  });
}
