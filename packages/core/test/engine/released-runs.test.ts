// Runs that are just being released, and engines that are just closing: nothing begins that nobody would finish.
import { graph, type Store, workflow } from 'holdfast';
import { defineStore } from 'holdfast/store';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { nodeEnv } from '../../src/env/node-env.ts';
import type { Batch } from '../../src/store/contract/commit.ts';
import { openDriver, openStore } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { describeEverywhere, describeShared, gate, placeOn, turns } from './every-place.ts';

const none = z.object({});
const question = { show: z.string(), answer: z.string() };

/** The store, with one commit that is made only when the test lets it. */
function heldStore(inside: Store, isHeld: (batch: Batch) => boolean) {
  const [reached, told] = [gate(), gate()];
  const fences: (number | null)[] = [];
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    return withCalls(driver, {
      commit: async (batches) => {
        if (batches.some(isHeld)) {
          reached.open();
          await told.opened;
        }
        for (const { fence } of batches) fences.push(fence);
        return driver.commit(batches);
      },
    });
  });
  return { store, reached, told, fences };
}

describeEverywhere('a run that is being released', (place) => {
  test('begins no task whose time comes meanwhile: that is for the next lease', async () => {
    const clock = virtualClock();
    const asked = gate();
    let tries = 0;
    const code = graph('both', { state: {}, asks: { ok: question } })
      .node('asks', async ({ ask, step }) => {
        await step('wait', () => asked.opened);
        await ask('ok', 'ok?');
      })
      .node(
        'fails',
        () => {
          tries += 1;
          if (tries === 1) throw new Error('the first try fails');
        },
        { retry: { attempts: 5, backoff: 1_000, factor: 1 } },
      )
      .edge('start', ['asks', 'fails'])
      .edge(['asks', 'fails'], 'end')
      .compile();
    const { store, reached, told, fences } = heldStore(place().store, ({ release }) => release);
    const engine = await placeOn(store).open({ graphs: [code], clock, lease: 3_600_000 });
    const run = await engine.start(code, {}, { id: 'run' });
    // Its start, and the failed try: the other task is the only one that runs.
    await expect.poll(() => fences.length).toBe(2);
    asked.open();
    await reached.opened;
    await clock.advance(5_000);
    expect(tries).toBe(1);
    told.open();
    await expect.poll(() => tries).toBe(2);
    await run.answer('ok', 'yes');
    await run.result();
    // The start, the failed try, the result of the step, and the release.
    expect(fences.slice(0, 5)).toEqual([null, 1, 1, 1, 2]);
  });
});

describeEverywhere('an engine that closes', (place) => {
  test('leases none of the children that were about to be started', async () => {
    const child = workflow('child', { input: z.object({ at: z.number() }) }, async (_, { step }) =>
      step('work', () => 1),
    );
    const parent = workflow('parent', { input: none }, async (_, ctx) => {
      await Promise.all([0, 1, 2].map((at) => ctx.child(`child ${at}`, child, { at })));
    });
    const here = place();
    const { store, reached, told } = heldStore(here.store, ({ create }) => create?.graph === 'child');
    const engine = await placeOn(store).open({ graphs: [parent, child], clock: virtualClock() });
    await engine.start(parent, {}, { id: 'run' });
    await reached.opened;
    const closing = engine.close();
    await turns();
    told.open();
    await closing;
    const raw = await openStore(here.store, nodeEnv);
    const runs = await raw.runs({ order: 'oldest', limit: 10 });
    await raw.close();
    expect(runs.map(({ worker, claims }) => ({ worker, claims }))).toEqual(
      runs.map(() => ({ worker: null, claims: 0 })),
    );
    // The child whose commit was in flight may be there. Nobody starts the others.
    expect(runs.length).toBeLessThanOrEqual(2);
  });
});

describeShared('an engine that has recovered', (place) => {
  test('continues a run that another process answers later, although no hint of it arrives', async () => {
    const clock = virtualClock();
    const flow = workflow('asks', { input: none, asks: { ok: question } }, (_, { ask }) => ask('ok', 'ok?'));
    const here = place();
    const deaf = defineStore(async (env, how) => {
      const driver = await openDriver(here.store, env, how);
      return withCalls(driver, { watch: () => () => {} });
    });
    const engine = await placeOn(deaf).open({ graphs: [flow], clock });
    const run = await engine.start(flow, {}, { id: 'run' });
    expect((await run.outcome()).status).toBe('waiting');
    expect(await engine.recover()).toBe(0);
    const inbox = await here.open({ executes: false, clock });
    await (await inbox.get(flow, 'run')).answer('ok', 'yes');
    await clock.advance(30_000);
    await expect.poll(async () => (await run.summary()).status).toBe('completed');
  });
});
