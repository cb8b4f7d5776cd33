import { expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { createGraphRun, memoryParts } from '../../testing/memory-parts.ts';
import { virtualClock } from '../../testing/virtual-clock.ts';
import { OrphanedLeases } from './orphaned-leases.ts';

/** A run that worker `w` was leased twice: it executes it under the first fence, and the second answer was lost. */
async function leasedTwice() {
  const { store } = memoryParts();
  await createGraphRun(store, 'run');
  const claim = async (): Promise<number> => {
    const request = { type: 'one', worker: 'w', leaseMs: 60_000, runId: 'run', ifDue: true } as const;
    return (await store.claim(request)).claimed[0]?.header.fence ?? 0;
  };
  const first = await claim();
  await store.claim({ type: 'release', worker: 'w', runIds: ['run'] });
  return { store, first, second: await claim() };
}

type Leased = Awaited<ReturnType<typeof leasedTwice>>;

/** The orphaned leases of `w`, which knows of a lease under this fence. */
function orphanedOf({ store }: Leased, fence: number | undefined): OrphanedLeases {
  return new OrphanedLeases({
    env: nodeEnv,
    store,
    worker: 'w',
    knownFence: () => fence,
    answered: () => Promise.resolve(),
    onReleased: () => {},
  });
}

test('a lease that the worker does not know of is released', async () => {
  const leased = await leasedTwice();
  await orphanedOf(leased, undefined).release();
  expect(await leased.store.header('run')).toMatchObject({ worker: null });
});

test('a run that was lost and leased again, without the worker knowing, is released', async () => {
  const leased = await leasedTwice();
  expect(leased.second).toBeGreaterThan(leased.first);
  await orphanedOf(leased, leased.first).release();
  expect(await leased.store.header('run')).toMatchObject({ worker: null });
});

test('a run that the worker executes stays leased', async () => {
  const leased = await leasedTwice();
  await orphanedOf(leased, leased.second).release();
  expect(await leased.store.header('run')).toMatchObject({ worker: 'w' });
});

test('a lease that becomes known while the store is asked stays', async () => {
  const leased = await leasedTwice();
  let known: number | undefined;
  const orphaned = new OrphanedLeases({
    env: nodeEnv,
    store: leased.store,
    worker: 'w',
    knownFence: () => known,
    answered: async () => {
      known = leased.second;
    },
    onReleased: () => {},
  });
  await orphaned.release();
  expect(await leased.store.header('run')).toMatchObject({ worker: 'w' });
});

test('a suspected lease is released in the background', async () => {
  const leased = await leasedTwice();
  const orphaned = orphanedOf(leased, undefined);
  orphaned.suspect();
  await expect.poll(async () => (await leased.store.header('run'))?.worker).toBe(null);
  orphaned.close();
});

test('a lease that a late request brings is released when the store has long answered, and told of', async () => {
  const { store } = memoryParts();
  await createGraphRun(store, 'run');
  const clock = virtualClock();
  const told: string[] = [];
  const orphaned = new OrphanedLeases({
    env: { ...nodeEnv, clock },
    store,
    worker: 'w',
    knownFence: () => undefined,
    answered: () => Promise.resolve(),
    onReleased: (runId) => void told.push(runId),
  });
  orphaned.suspect();
  await clock.advance(1_000);
  expect(orphaned.isSearching).toBe(false);
  await store.claim({ type: 'one', worker: 'w', leaseMs: 1_000_000, runId: 'run', ifDue: true });
  await clock.advance(100_000);
  expect(await store.header('run')).toMatchObject({ worker: null });
  expect(told).toEqual(['run']);
  orphaned.close();
});
