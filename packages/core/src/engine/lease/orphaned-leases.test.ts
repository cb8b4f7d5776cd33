import { expect, test } from 'vitest';
import { channel } from '../../channel/channel.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { graph } from '../../graph/graph.ts';
import { memoryStore } from '../../store/memory/open.ts';
import { openStore } from '../../store/store.ts';
import { openEngineIn } from '../open.ts';
import { OrphanedLeases } from './orphaned-leases.ts';

const one = graph('one', { state: { n: channel<number>() } })
  .node('a', () => ({ n: 1 }))
  .edge('start', 'a')
  .edge('a', 'end')
  .compile();

/** A run that worker `w` was given twice: it executes it under the first fence, and the second answer was lost. */
async function givenAgain() {
  const place = memoryStore();
  const client = await openEngineIn(nodeEnv, place, { executes: false });
  await client.submit(one, {}, { id: 'run' });
  await client.close();
  const store = await openStore(place, nodeEnv);
  const claim = async (): Promise<number> =>
    (await store.claim({ type: 'one', worker: 'w', leaseMs: 60_000, runId: 'run', ifDue: true })).claimed[0]?.header
      .fence ?? 0;
  const first = await claim();
  await store.claim({ type: 'release', worker: 'w', runIds: ['run'] });
  return { store, first, second: await claim() };
}

test('a run that was lost and given again, without the worker knowing, is let go of', async () => {
  const { store, first, second } = await givenAgain();
  expect(second).toBeGreaterThan(first);
  const orphans = new OrphanedLeases({ env: nodeEnv, store, id: 'w', isHeld: (_run, fence) => fence === first });
  orphans.suspect();
  await expect.poll(async () => (await store.header('run'))?.worker).toBe(null);
  orphans.close();
});

test('a run that the worker executes is kept', async () => {
  const { store, second } = await givenAgain();
  let looks = 0;
  const isHeld = (_run: string, fence: number): boolean => {
    looks += 1;
    return fence === second;
  };
  const orphans = new OrphanedLeases({ env: nodeEnv, store, id: 'w', isHeld });
  orphans.suspect();
  await expect.poll(() => looks).toBeGreaterThan(0);
  // What follows takes a few turns, as the test above shows.
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect((await store.header('run'))?.worker).toBe('w');
  orphans.close();
});
