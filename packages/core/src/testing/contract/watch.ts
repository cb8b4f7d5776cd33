import assert from 'node:assert/strict';
import type { Bench } from '../bench.ts';
import type { Contract } from './contract.ts';
import { commit, create, externalOf, idsOf } from './given.ts';

/** What watching promises: hints, that may come late, twice or never. */
export function watchContract({ describe, test }: Contract): void {
  describe('watch()', () => {
    test('hints at runs that changed, or at any', async (bench) => {
      const { store } = bench;
      const hints: (string | undefined)[] = [];
      const stop = store.watch((runId) => hints.push(runId));
      await create(store, 'run');
      await commit(store, externalOf('run', { expect: 1 }));
      await store.trim({ runId: 'run', hide: { keepTo: 2 } });
      await turns(bench);
      for (const hint of hints) assert.equal(hint === undefined || hint === 'run', true, `a hint at ${hint}`);
      stop();
    });

    test('tells nothing more once it is stopped', async (bench) => {
      const { store } = bench;
      let stopped = false;
      const stop = store.watch(() => assert.equal(stopped, false, 'a hint after the stop'));
      await create(store, 'a');
      stop();
      stopped = true;
      stop();
      await create(store, 'b');
      await turns(bench);
      assert.deepEqual(await idsOf(store), ['a', 'b']);
    });

    test('tells each listener by itself', async (bench) => {
      const { store } = bench;
      const counts = { stopped: 0, kept: 0 };
      const stop = store.watch(() => (counts.stopped += 1));
      const stopKept = store.watch(() => (counts.kept += 1));
      stop();
      await create(store, 'run');
      await turns(bench);
      assert.equal(counts.stopped, 0);
      stopKept();
    });

    test('tells nothing more once the store is closed', async (bench) => {
      let closed = false;
      bench.store.watch(() => assert.equal(closed, false, 'a hint after the close'));
      await bench.reopen();
      closed = true;
      await create(bench.store, 'run');
      await turns(bench);
    });
  });
}

/** Lets hints that are on their way arrive. */
async function turns({ env }: Bench): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => env.nextTick(resolve));
}
