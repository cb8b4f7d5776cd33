import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { claimDue, claimedIds, claimOne, create, externalWriteOf } from '../../testing/contract/given.ts';
import { failedSync, failingDatabase } from '../../testing/sqlite/failing-database.ts';
import { withFilled } from '../../testing/sqlite/filled-store.ts';
import { openAt, openRaw, tamper } from '../../testing/sqlite/sqlite-places.ts';
import { openDriver } from '../store.ts';
import { sqliteStore } from './open.ts';

describe('corruption', () => {
  test('of one run does not keep others from being claimed and released, and is told of', async () => {
    await withFilled(async (path, env) => {
      const before = await openAt(path, env);
      for (const runId of ['a', 'b']) await create(before.store, runId, { wakeAt: 1, frontier: ['n'] });
      await before.store.close();
      await tamper(path, (database) =>
        database.exec("UPDATE heads SET step = 7 WHERE run = (SELECT key FROM runs WHERE run = 'a')"),
      );
      const { store } = await openAt(path, env);
      const corrupt = [{ code: 'HOLDFAST_CORRUPT', details: { table: 'heads', runId: 'a' } }];
      const first = await claimDue(store, 'worker', { limit: 1 });
      expect(claimedIds(first)).toEqual(['b']);
      expect(first.corrupt).toMatchObject(corrupt);
      expect(await claimDue(store, 'worker', { limit: 1 })).toMatchObject({ claimed: [], corrupt });
      expect(await claimOne(store, 'worker', 'a')).toMatchObject({ claimed: [], corrupt });
      await tamper(path, (database) =>
        database.exec("UPDATE heads SET step = 7 WHERE run = (SELECT key FROM runs WHERE run = 'engine')"),
      );
      expect(await store.claim({ type: 'release', worker: 'worker' })).toMatchObject({
        corrupt: [{ details: { table: 'heads', runId: 'engine' } }],
      });
      expect(await store.header('b')).toMatchObject({ worker: null });
      await store.close();
    });
  });

  test('of one run does not keep others from being written', async () => {
    await withFilled(async (path, env) => {
      await tamper(path, (database) =>
        database.exec("UPDATE heads SET step = 9 WHERE run = (SELECT key FROM runs WHERE run = 'fork')"),
      );
      const { store } = await openAt(path, env);
      const outcomes = await Promise.allSettled([
        store.commit(externalWriteOf('fork', { expect: 4 })),
        store.commit(externalWriteOf('engine', { expect: 70 })),
      ]);
      expect(outcomes).toMatchObject([
        {
          status: 'rejected',
          reason: { code: 'HOLDFAST_CORRUPT', details: { table: 'heads', runId: 'fork' } },
        },
        { status: 'fulfilled', value: { ok: true } },
      ]);
      await store.close();
    });
  });

  test('is not what an error of the disk is taken for', async () => {
    await withFilled(async (path) => {
      const database = await openRaw(path);
      const broken = failingDatabase(database, (sql) => (sql.includes('WHERE r.run = ?') ? failedSync : undefined));
      const driver = await openDriver(sqliteStore(broken), nodeEnv);
      const claiming = driver.claim({ type: 'one', worker: 'worker', leaseMs: 1, runId: 'fork', ifDue: false });
      await expect(claiming).rejects.toMatchObject({ details: { effect: 'none', poisoned: true } });
      await driver.close();
      database.close();
    });
  });
});
