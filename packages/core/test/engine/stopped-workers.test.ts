// A worker that stood still for longer than its lease begins nothing that another one may have finished.
import { counter, graph, type Store, workflow } from 'holdfast';
import { defineStore } from 'holdfast/store';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openDriver } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { describeShared, gate, placeOn } from './every-place.ts';

const lease = '500ms';

/** A store as a process has it that stands still after its first commit of a run: it neither sends nor hears anything. */
function standingStill(inside: Store) {
  const stopped = gate();
  const goesOn = gate();
  let isStopped = false;
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    return withCalls(driver, {
      commit: async (batches) => {
        const results = await driver.commit(batches);
        const isOwn = batches.some(({ fence }) => fence !== null);
        if (isOwn && !isStopped) {
          isStopped = true;
          stopped.open();
        }
        if (isStopped) await goesOn.opened;
        return results;
      },
      claim: async (request) => {
        if (isStopped) await goesOn.opened;
        return driver.claim(request);
      },
      runs: async (query) => {
        if (isStopped) await goesOn.opened;
        return driver.runs(query);
      },
      watch: () => () => undefined,
    });
  });
  return { store, stopped: stopped.opened, goOn: goesOn.open };
}

describeShared('a worker that stood still for longer than its lease', (place) => {
  test('executes no node that another worker has finished meanwhile', async () => {
    const bodies: string[] = [];
    const chain = (worker: string) =>
      graph('chain', { state: { n: counter() } })
        .node('one', async ({ state: { n } }) => {
          bodies.push(`${worker} ${n}`);
          return { n: 1 };
        })
        .edge('start', 'one')
        .route('one', ['one', 'end'], ({ n }) => (n < 3 ? 'one' : 'end'))
        .compile();
    const here = place();
    const still = standingStill(here.store);
    const stopped = await placeOn(still.store).open({ graphs: [chain('stopped')], lease });
    const other = await here.open({ graphs: [chain('other')], lease });
    stopped.start(chain('stopped'), {}, { id: 'run' });
    await still.stopped;
    other.work();
    expect(await other.get(chain('other'), 'run').result()).toEqual({ n: 3 });
    still.goOn();
    await stopped.close();
    expect(bodies).toEqual(['stopped 0', 'other 1', 'other 2']);
  });

  test('executes no step either', async () => {
    const steps: string[] = [];
    const flow = (worker: string) =>
      workflow('flow', { input: z.object({}) }, async (_, { step }) => {
        for (const name of ['a', 'b', 'c']) await step(name, () => void steps.push(`${worker} ${name}`));
        return 'done';
      });
    const here = place();
    const still = standingStill(here.store);
    const stopped = await placeOn(still.store).open({ graphs: [flow('stopped')], lease });
    const other = await here.open({ graphs: [flow('other')], lease });
    stopped.start(flow('stopped'), {}, { id: 'run' });
    await still.stopped;
    other.work();
    expect(await other.get(flow('other'), 'run').result()).toBe('done');
    still.goOn();
    await stopped.close();
    expect(steps).toEqual(['stopped a', 'other b', 'other c']);
  });
});
