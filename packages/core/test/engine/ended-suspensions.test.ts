// A suspended run continues although its child ends in the moment that its suspension does.
import { channel, graph, list } from 'holdfast';
import { defineStore } from 'holdfast/store';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openDriver } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { describeEverywhere, describeShared, gate, memoryPlace, type Place, placeOn } from './every-place.ts';
import { exported } from './exported.ts';

const order = graph('order', {
  state: { paid: channel<boolean>(), log: list<string>() },
  asks: { pay: { show: z.string(), answer: z.boolean() } },
})
  .node('ask', async ({ ask }) => ({ paid: await ask('pay', 'Paid?') }))
  .edge('start', 'ask')
  .edge('ask', 'end')
  .compile();

const parent = graph('parent', { state: { paid: channel<boolean>() } })
  .graph('order', order, { in: () => ({}), out: ({ paid }) => ({ paid: paid === true }) })
  .edge('start', 'order')
  .edge('order', 'end')
  .compile();

/**
 * The store, where the child writes only once the parent is leased to end its suspension, and that lease is told only when the
 * child has told the parent that it has ended.
 */
function entangled(place: Place) {
  const [leased, told] = [gate(), gate()];
  let isArmed = false;
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(place.store, env, how);
    return withCalls(driver, {
      claim: async (request) => {
        const claim = await driver.claim(request);
        if (isArmed && request.type === 'one' && request.runId === 'p') {
          leased.open();
          await told.opened;
        }
        return claim;
      },
      commit: async (batches) => {
        if (isArmed && batches.some(({ runId, fence }) => runId !== 'p' && fence !== null)) await leased.opened;
        const results = await driver.commit(batches);
        if (isArmed && batches.some(({ runId, fence }) => runId === 'p' && fence === null)) told.open();
        return results;
      },
    });
  });
  const arm = (): void => {
    isArmed = true;
  };
  return { store, arm };
}

describeEverywhere('a suspended parent whose child ends while its suspension does', (place) => {
  test('continues here', async () => {
    const from = await memoryPlace().open({ graphs: [order, parent] });
    await (await from.start(parent, {}, { id: 'p' })).outcome();
    const { store, arm } = entangled(place());
    const engine = await placeOn(store).open({ graphs: [order, parent] });
    await engine.import(await exported(from.export('p')));
    arm();
    const run = await engine.get(parent, 'p');
    await run.answer('order/pay', true);
    expect(await run.result()).toEqual({ paid: true });
    expect(await run.lease()).toBeNull();
  });
});

describeShared('a suspended parent that is answered where nothing is executed', (place) => {
  test('continues in a worker although its child ends while its suspension does', async () => {
    const from = await memoryPlace().open({ graphs: [order, parent] });
    await (await from.start(parent, {}, { id: 'p' })).outcome();
    const { store, arm } = entangled(place());
    const inbox = await placeOn(store).open({ executes: false });
    await inbox.import(await exported(from.export('p')));
    arm();
    const engine = await placeOn(store).open({ graphs: [order, parent] });
    engine.work();
    await inbox.get(parent, 'p').answer('order/pay', true);
    expect(await engine.get(parent, 'p').result()).toEqual({ paid: true });
  });
});
