import { describe, expect, test } from 'vitest';
import { commit, create, externalWriteOf } from '../../testing/contract/given.ts';
import { batchOf } from '../../testing/contract/seal-batch.ts';
import { withFilled } from '../../testing/sqlite/filled-store.ts';
import { openAt, tamper } from '../../testing/sqlite/sqlite-places.ts';

describe('corruption', () => {
  test('of one run does not keep others from being claimed and let go of, and is told once', async () => {
    await withFilled(async (path, still) => {
      const warnings: string[] = [];
      const env = { ...still, warn: (message: string) => void warnings.push(message) };
      const before = await openAt(path, env);
      for (const runId of ['a', 'b']) await create(before.store, runId, { wakeAt: 1, frontier: ['n'] });
      await before.store.close();
      await tamper(path, (database) =>
        database.exec("UPDATE heads SET step = 7 WHERE run = (SELECT key FROM runs WHERE run = 'a')"),
      );
      const { store } = await openAt(path, env);
      const due = { type: 'due', worker: 'worker', graphs: [{ name: 'graph' }], limit: 1 } as const;
      await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 60_000 });
      expect((await store.claim(due)).claimed).toMatchObject([{ runId: 'b' }]);
      expect((await store.claim(due)).claimed).toEqual([]);
      expect(warnings).toEqual([expect.stringContaining('heads of a')]);
      const one = store.claim({ type: 'one', worker: 'worker', runId: 'a' });
      await expect(one).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT', details: { table: 'heads', runId: 'a' } });
      await tamper(path, (database) =>
        database.exec("UPDATE heads SET step = 7 WHERE run = (SELECT key FROM runs WHERE run = 'engine')"),
      );
      await store.claim({ type: 'release', worker: 'worker' });
      expect(warnings).toEqual([expect.anything(), expect.stringContaining('heads of engine')]);
      expect(await store.header('b')).toMatchObject({ worker: null });
      await store.close();
    });
  });

  test('is found when a run is gone that was known', async () => {
    await withFilled(async (path, env) => {
      const { driver, store } = await openAt(path, env);
      await commit(store, externalWriteOf('fork', { expect: 4 }));
      await tamper(path, (database) => database.exec("DELETE FROM runs WHERE run = 'fork'"));
      const batch = batchOf(externalWriteOf('fork', { expect: 5, header: { status: 'failed' } }), { token: 't' });
      await expect(driver.commit([batch])).rejects.toMatchObject({ cause: { code: 'HOLDFAST_CORRUPT' } });
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
});
