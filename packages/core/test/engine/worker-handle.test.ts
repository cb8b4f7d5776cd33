import { workflow } from 'holdfast';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, gate, turns } from './every-place.ts';

const none = z.object({});
const quick = workflow('quick', { input: none }, async (_, { step }) => step('a', () => 'done'));
const asking = workflow('asking', { input: none, asks: { ok: z.boolean() } }, (_, { ask }) => ask('ok'));

/** Says when its step has begun, and ends when it is told or aborted. */
function slow() {
  const begun = gate();
  const told = gate();
  const graph = workflow('slow', { input: none }, (_, { step }) =>
    step('a', async ({ signal }) => {
      begun.open();
      await Promise.race([told.opened, new Promise((_, reject) => signal.addEventListener('abort', reject))]);
      return 'done';
    }),
  );
  return { graph, begun: begun.opened, tell: told.open };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describeEverywhere('work()', (place) => {
  test('needs no options, and stop() lets the steps in flight finish', async () => {
    const { graph, begun, tell } = slow();
    const engine = await place().open({ graphs: [graph] });
    const run = await engine.submit(graph, {});
    const worker = engine.work();
    let hasStopped = false;
    void worker.done.then(() => {
      hasStopped = true;
    });
    await begun;
    const stopping = worker.stop();
    await turns();
    expect(hasStopped).toBe(false);
    tell();
    await stopping;
    expect(hasStopped).toBe(true);
    await worker.stop();
    expect(await run.result()).toBe('done');
  });

  test('executes nothing after it was stopped, and works again when asked to', async () => {
    const engine = await place().open({ graphs: [quick] });
    await engine.work().stop();
    const run = await engine.submit(quick, {});
    await turns();
    expect(await run.summary()).toMatchObject({ status: 'pending' });
    {
      await using worker = engine.work();
      expect(worker.done).toBeInstanceOf(Promise);
      expect(await run.result()).toBe('done');
    }
    const later = await engine.submit(quick, {});
    await turns();
    expect(await later.summary()).toMatchObject({ status: 'pending' });
  });

  test('stops when its signal aborts, at once if it has', async () => {
    const engine = await place().open({ graphs: [quick] });
    const stop = new AbortController();
    const worker = engine.work({ signal: stop.signal });
    stop.abort();
    expect(await worker.done).toBeUndefined();
    expect(await engine.work({ signal: stop.signal }).done).toBeUndefined();
  });

  test('ends when the engine is closed, without waiting for the steps in flight', async () => {
    const { graph, begun } = slow();
    const here = place();
    const engine = await here.open({ graphs: [graph] });
    await engine.submit(graph, {}, { id: 'r' });
    const worker = engine.work({ drain: '10m' });
    await begun;
    await engine.close();
    await worker.done;
    const again = await here.open({ executes: false });
    expect((await again.get('r').summary()).worker).toBeNull();
  });

  test('recovers first: takes up what a closed engine left, and names the graphs that it lacks', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const here = place();
    const before = await here.open();
    await before.start(asking, {}, { id: 'asks' }).outcome();
    await before.submit(quick, {}, { id: 'left' });
    await before.close();
    const engine = await here.open({ graphs: [quick] });
    engine.work();
    expect(await engine.get(quick, 'left').result()).toBe('done');
    await expect.poll(() => warn.mock.calls.map(String)).toEqual([expect.stringContaining('graph "asking" (asks)')]);
  });
});
