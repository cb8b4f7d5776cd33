import assert from 'node:assert/strict';
import type { Bench } from '../../bench.ts';
import type { Contract } from '../contract.ts';
import { claimDue, claimedIds, claimOne, create, headerOf, leaseMs, live } from '../given.ts';

type Test = Contract['test'];

/** Two namesakes: the engine tells its openings apart by what comes after the label. */
const [worker, namesake] = ['label:1', 'label:2'];

/** A worker that leases a run, in a process that dies. Undefined if the place cannot do that. */
async function afterDeath(bench: Bench): Promise<Bench['store'] | undefined> {
  if (bench.place.kill === undefined) return undefined;
  await create(bench.store, 'run', { wakeAt: await bench.now() });
  assert.deepEqual(claimedIds(await claimOne(bench.store, worker, 'run')), ['run']);
  await bench.kill();
  return bench.store;
}

/** What a store promises that notices the death of a process, and what the others do then. */
export function deathTests(test: Test): void {
  test('leases the run of a dead process at once where it notices deaths, and after the lease where not', async (bench) => {
    const store = await afterDeath(bench);
    if (store === undefined) return;
    const isNoticed = store.capabilities.noticesDeath === true;
    await live(store, namesake);
    assert.equal((await store.claim({ type: 'alive', worker })).granted, !isNoticed);
    if (!isNoticed) {
      assert.deepEqual(claimedIds(await claimDue(store, namesake)), []);
      await bench.advance(leaseMs);
    }
    const { claimed } = await claimDue(store, namesake);
    assert.deepEqual(
      claimed.map(({ header: { runId, claims, fence }, takenFrom }) => ({ runId, claims, fence, takenFrom })),
      [{ runId: 'run', claims: 1, fence: 2, takenFrom: { worker, noticed: isNoticed ? 'death' : 'lease' } }],
    );
  });

  test('leases that run to whoever asks for it alone', async (bench) => {
    const store = await afterDeath(bench);
    if (store?.capabilities.noticesDeath !== true) return;
    const { claimed } = await claimOne(store, namesake, 'run');
    assert.deepEqual(claimed[0]?.takenFrom, { worker, noticed: 'death' });
    assert.equal((await headerOf(store, 'run')).claims, 1);
  });

  test('leaves the run of a dead process alone without takeover', async (bench) => {
    const store = await afterDeath(bench);
    if (store === undefined) return;
    assert.deepEqual(claimedIds(await claimDue(store, namesake, { takeover: false })), []);
    const one = { type: 'one', worker: namesake, leaseMs, runId: 'run', ifDue: false, takeover: false } as const;
    assert.deepEqual((await store.claim(one)).claimed, []);
    assert.equal((await headerOf(store, 'run')).claims, 0);
  });

  test('leaves a living namesake of a dead worker its runs, however quiet it is', async (bench) => {
    if (bench.place.kill === undefined || !bench.store.capabilities.shared) return;
    const { store } = await bench.openAnother();
    await create(store, 'kept', { wakeAt: await bench.now() });
    await claimOne(store, namesake, 'kept');
    await create(bench.store, 'run', { wakeAt: await bench.now() });
    await claimOne(bench.store, worker, 'run');
    await bench.kill();
    await bench.advance(leaseMs - 1);
    const isNoticed = store.capabilities.noticesDeath === true;
    assert.deepEqual(claimedIds(await claimDue(bench.store, 'other')), isNoticed ? ['run'] : []);
    assert.deepEqual(claimedIds(await claimDue(bench.store, 'other')), []);
    await bench.advance(1);
    const { claimed } = await claimDue(bench.store, 'other');
    assert.deepEqual(claimed.at(-1)?.takenFrom, { worker: namesake, noticed: 'lease' });
  });

  test('counts no crash and tells of no takeover where a run was released', async (bench) => {
    const { store } = bench;
    await create(store, 'run', { wakeAt: await bench.now() });
    await claimOne(store, worker, 'run');
    await store.claim({ type: 'release', worker });
    const { claimed } = await claimDue(store, namesake);
    assert.deepEqual([claimed[0]?.takenFrom, claimed[0]?.header.claims], [undefined, 0]);
  });
}
