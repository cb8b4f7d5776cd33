import assert from 'node:assert/strict';
import type { Contract } from './contract.ts';
import { create, creationOf, headerOf, idsOf } from './given.ts';

/** What closing promises. */
export function closeContract({ describe, test }: Contract): void {
  describe('close()', () => {
    test('closes a store that nobody used, and opens it again', async (bench) => {
      await bench.reopen();
      await bench.reopen();
      assert.deepEqual(await idsOf(bench.store), []);
    });

    test('lets the commits that were asked for before it finish', async (bench) => {
      const { store } = bench;
      const runs = Array.from({ length: 10 }, (_, at) => `run-${at}`);
      const commits = runs.map((runId) => store.commit(creationOf(runId)));
      await Promise.all([bench.reopen(), ...commits]);
      for (const outcome of await Promise.all(commits)) assert.equal(outcome.ok, true);
      const kept = store.capabilities.reopens ? runs : [];
      assert.deepEqual(await idsOf(bench.store), kept);
    });

    test('closes again what is closed', async (bench) => {
      const { store } = bench;
      await create(store, 'run');
      await store.close();
      await store.close();
      await bench.reopen();
    });

    test('leaves another open driver of the place alone', async (bench) => {
      if (!bench.store.capabilities.shared) return;
      const other = await bench.openAnother();
      await create(bench.store, 'run');
      await bench.store.close();
      assert.equal((await headerOf(other.store, 'run')).head, 1);
      await create(other.store, 'after');
    });
  });
}
