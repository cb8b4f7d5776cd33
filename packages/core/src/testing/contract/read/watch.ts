import assert from 'node:assert/strict';
import type { Hint } from '../../../store/contract/driver.ts';
import type { Bench } from '../../bench.ts';
import type { Contract } from '../contract.ts';
import { commit, create, externalWriteOf, idsOf, notes, trimAll } from '../given.ts';

/** What watching promises: hints, that may come late, twice or never. */
export function watchContract({ describe, test }: Contract): void {
  describe('watch()', () => {
    test('hints at runs that changed with their head, or at any', async (bench) => {
      const { store } = bench;
      const hints: (Hint | undefined)[] = [];
      const stop = store.watch((hint) => hints.push(hint));
      await create(store, 'run');
      await commit(store, externalWriteOf('run', { expect: 1, entries: notes(3) }));
      await ticks(bench);
      await trimAll(store, { runId: 'run', hide: { keepTo: 2 } });
      await ticks(bench);
      for (const hint of hints) {
        const isRight = hint === undefined || (hint.runId === 'run' && [1, 4].includes(hint.head));
        assert.ok(isRight, `the hint ${JSON.stringify(hint)}`);
      }
      stop();
    });

    test('hints at no head that is not there yet', async (bench) => {
      const { store } = bench;
      const heads: Promise<boolean>[] = [];
      const stop = store.watch((hint) => {
        if (hint === undefined) return;
        const there = store.records({ runId: hint.runId, order: 'newest', limit: 1 });
        heads.push(there.then(([last]) => (last?.seq ?? 0) >= hint.head));
      });
      await create(store, 'run');
      for (const expect of [1, 2, 3]) await commit(store, externalWriteOf('run', { expect }));
      await ticks(bench);
      stop();
      assert.equal((await Promise.all(heads)).includes(false), false);
    });

    stopTests(test);
  });
}

function stopTests(test: Contract['test']): void {
  test('tells nothing more once it is stopped', async (bench) => {
    const { store } = bench;
    let stopped = false;
    const stop = store.watch(() => assert.equal(stopped, false, 'a hint after the stop'));
    await create(store, 'a');
    stop();
    stopped = true;
    stop();
    await create(store, 'b');
    await ticks(bench);
    assert.deepEqual(await idsOf(store), ['a', 'b']);
  });

  test('tells each listener by itself', async (bench) => {
    const { store } = bench;
    const counts = { stopped: 0, kept: 0 };
    const stop = store.watch(() => (counts.stopped += 1));
    const stopKept = store.watch(() => (counts.kept += 1));
    stop();
    await create(store, 'run');
    await ticks(bench);
    assert.equal(counts.stopped, 0);
    stopKept();
  });

  test('tells nothing more once the store is closed', async (bench) => {
    let closed = false;
    bench.store.watch(() => assert.equal(closed, false, 'a hint after the close'));
    await bench.reopen();
    closed = true;
    await create(bench.store, 'run');
    await ticks(bench);
  });
}

/** Lets hints that are on their way arrive. */
async function ticks({ env }: Bench): Promise<void> {
  for (let tick = 0; tick < 5; tick += 1) await new Promise<void>((resolve) => env.nextTick(resolve));
}
