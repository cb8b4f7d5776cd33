import assert from 'node:assert/strict';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import type { Contract } from '../contract.ts';
import { claimDue, claimedIds, claimOne, create } from '../given.ts';

/** What a driver does with headers that are not what was written; for a place that can be made corrupt. */
export function corruptContract({ describe, test }: Contract): void {
  const corrupting: Contract['test'] = (name, body) =>
    test(name, async (bench) => {
      if (bench.place.corrupt === undefined) return;
      const wakeAt = await bench.now();
      for (const runId of ['a', 'b', 'c', 'd']) await create(bench.store, runId, { wakeAt });
      await bench.place.corrupt('b');
      await bench.reopen();
      await body(bench);
    });

  describe('a corrupt header', () => {
    corrupting('is left out of the page, which is filled with others, and told of', async ({ driver, store }) => {
      const { headers, corrupt } = await driver.runs({ order: 'oldest', limit: 3 });
      assert.deepEqual(idsIn(headers), ['a', 'c', 'd']);
      assert.ok(corrupt.length > 0 && corrupt.every((error) => HoldfastError.is(error, 'HOLDFAST_CORRUPT')));
      await assert.rejects(store.runs({ order: 'oldest', limit: 3 }), { code: 'HOLDFAST_CORRUPT' });
    });

    corrupting(
      'is told of when the run is asked for by its id, and nothing else is wrong',
      async ({ driver, store }) => {
        const asked = await driver.runs({ runIds: ['b', 'c'], order: 'oldest', limit: 9 });
        assert.deepEqual([idsIn(asked.headers), asked.corrupt.length], [['c'], 1]);
        await assert.rejects(store.load({ runId: 'b', limit: 1 }), { code: 'HOLDFAST_CORRUPT' });
        assert.equal((await store.load({ runId: 'c', limit: 1 }))?.header.runId, 'c');
      },
    );

    corrupting('keeps nobody from claiming the other runs', async ({ store }) => {
      assert.deepEqual(claimedIds(await claimDue(store, 'worker')), ['a', 'c', 'd']);
      const { claimed, corrupt } = await claimOne(store, 'worker', 'b');
      assert.deepEqual([claimed, corrupt.length], [[], 1]);
    });
  });
}

function idsIn(headers: readonly RunHeader[]): readonly string[] {
  return headers.map(({ runId }) => runId);
}
