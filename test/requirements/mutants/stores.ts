import { change, mutant } from '../mutant.ts';
import { defineStore, openDriver, seams, withCalls } from '../seams.ts';
import { swallowed } from './checkpoints.ts';
import { brokenCheckpoints, brokenDriver } from './wrap.ts';

export const everyStore = [
  brokenDriver('sqlite', 'SQLite gives snapshots by their place alone', (driver) => ({
    snapshots: async (query) => (await driver.snapshots(query)).toSorted((a, b) => b.seq - a.seq),
  })),
  brokenDriver('sqlite', 'SQLite lists the oldest first', (driver) => ({
    snapshots: async (query) => (await driver.snapshots(query)).toReversed(),
  })),
  brokenDriver('file', 'the file store gives the oldest snapshots', (driver) => ({
    snapshots: async (query) => (await driver.snapshots({ ...query, limit: 100 })).slice(-query.limit),
  })),
  brokenDriver('file', 'the file store gives the newest records in the wrong order', (driver) => ({
    records: async (query) => {
      const found = await driver.records(query);
      return query.order === 'newest' ? found.toReversed() : found;
    },
  })),
  mutant(
    'memory is forgotten when it is closed',
    change(seams.memoryStore, (make) => () => defineStore((env) => openDriver(make(), env))),
  ),
];

export const storeErrors = [
  mutant(
    'what may not be read is missing',
    change(seams.openDriver, (open) => async (store, env, how) => {
      const driver = await open(store, env, how);
      return withCalls(driver, {
        load: (query) => orNothing(driver.load(query), undefined),
        runs: (query) => orNothing(driver.runs(query), { headers: [], corrupt: [] }),
        snapshots: (query) => orNothing(driver.snapshots(query), []),
      });
    }),
  ),
  brokenDriver('memory', 'an old fence is as good as the new one', (driver) => ({
    commit: async (batches) => {
      const results = [...(await driver.commit(batches))];
      for (const [at, result] of results.entries()) {
        const batch = batches[at];
        if (result.ok || result.why !== 'fence' || batch === undefined || result.found === undefined) continue;
        const [again] = await driver.commit([{ ...batch, fence: result.found.fence }]);
        if (again !== undefined) results[at] = again;
      }
      return results;
    },
  })),
  brokenCheckpoints('the second of two writers is swallowed', swallowed),
];

/** What was found, or this where it may not be read. */
function orNothing<T>(found: Promise<T>, nothing: T): Promise<T> {
  return found.catch((error: { readonly code?: string }) => {
    if (error.code === 'EACCES') return nothing;
    throw error;
  });
}
