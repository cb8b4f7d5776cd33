// What goes wrong around an engine, and must not end its runs or stop it: reads that fail, clocks that misbehave, texts
// that stores cannot keep.
import { graph, openEngine } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { nodeEnv } from '../../src/env/node-env.ts';
import { defineStore, openDriver, openStore } from '../../src/store/store.ts';
import { storeFault } from '../../src/store/store-fault.ts';
import { creationOf } from '../../src/testing/contract/given.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { describeEverywhere } from './every-place.ts';

/** More than the takeovers after which a run counts as one that ends its workers. */
const manyFailures = 8;

const two = graph('two', { state: { sum: z.number() } })
  .node('one', async ({ state, step }) => ({ sum: await step('add', () => state.sum + 1) }))
  .node('two', ({ state }) => ({ sum: state.sum + 1 }))
  .edge('start', 'one')
  .edge('one', 'two')
  .edge('two', 'end')
  .compile();

/** Real time, a hundred times as fast for whoever sleeps. */
const hasty = {
  now: () => Date.now(),
  sleep: (ms: number, signal?: AbortSignal) => nodeEnv.clock.sleep(ms / 100, signal),
};

const texts = ['a\0b', '\ud800'];
const header = (text: string): readonly Parameters<typeof creationOf>[1][] => [
  { graph: text },
  { frontier: ['fine', text] },
  { tags: { [text]: 'x' } },
  { tags: { x: text } },
  { waits: [{ id: text, kind: 'ask', name: 'ok', node: 'review', since: 1 }] },
  { waits: [{ id: 'w', kind: 'ask', name: text, node: 'review', since: 1 }] },
  { waits: [{ id: 'w', kind: 'ask', name: 'ok', node: text, since: 1 }] },
];

describeEverywhere('in hard times, a run', (place) => {
  test('does not fail because it could not be read several times', async () => {
    const { store, open } = place();
    const before = await open({ executes: false });
    await before.submit(two, { sum: 1 }, { id: 'run' });
    await before.close();
    let failures = 0;
    // Everything that a worker reads of a leased run, and what a reader would.
    const fail = <T>(read: () => T): T => {
      failures += 1;
      if (failures <= manyFailures) throw storeFault({ effect: 'none', cause: new Error('no answer') });
      return read();
    };
    const failing = defineStore(async (env, how) => {
      const driver = await openDriver(store, env, how);
      return withCalls(driver, {
        load: (query) => fail(() => driver.load(query)),
        records: (query) => fail(() => driver.records(query)),
        commit: (batches) => fail(() => driver.commit(batches)),
      });
    });
    const engine = await openEngine(failing, { graphs: [two], clock: hasty });
    onTestFinished(() => engine.close());
    engine.work();
    const run = engine.get('run');
    await expect.poll(() => run.summary().then(({ status }) => status, String)).toBe('completed');
    expect(failures).toBeGreaterThan(manyFailures);
    expect(await run.state()).toMatchObject({ sum: 3 });
  });

  test('continues with a clock whose sleep resolves at once', async () => {
    const clock = { now: () => Date.now(), sleep: async () => {} };
    const engine = await place().open({ graphs: [two], clock, lease: 50 });
    engine.work();
    const run = await engine.start(two, { sum: 1 }, { id: 'run' });
    expect(await run.result()).toMatchObject({ sum: 3 });
    const asked = await engine.submit(two, { sum: 5 }, { id: 'submitted' });
    expect(await asked.result()).toMatchObject({ sum: 7 });
  });

  test.each(texts)('has no text in its header that some store cannot keep: %j', async (text) => {
    const store = await openStore(place().store, nodeEnv);
    onTestFinished(() => store.close());
    for (const parts of header(text)) {
      await expect(store.commit(creationOf('run', parts))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_CONTRACT' });
    }
    expect(await store.header('run')).toBeUndefined();
  });

  test.each(texts)('that a worker refuses says why, whatever a migration threw: %j', async (text) => {
    const { open } = place();
    const before = await open({ executes: false });
    await before.submit(two, { sum: 1 }, { id: 'run' });
    await before.close();
    const next = graph('two', {
      version: 2,
      state: { sum: z.number() },
      migrate: {
        1: () => {
          throw new Error(`no ${text}`);
        },
      },
    })
      .node('one', ({ state }) => ({ sum: state.sum }))
      .edge('start', 'one')
      .edge('one', 'end')
      .compile();
    const engine = await open({ graphs: [next] });
    engine.work();
    const refused = async (): Promise<string | undefined> => (await engine.get('run').summary()).refusals?.[0]?.message;
    await expect.poll(refused).toContain('no ');
    expect(await refused()).not.toContain(text);
  });
});
