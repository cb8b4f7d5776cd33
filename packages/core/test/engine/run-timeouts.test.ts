import { graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, gate } from './every-place.ts';

const none = z.object({});
const timedOut = { code: 'HOLDFAST_TIMEOUT' };
const asking = workflow('asking', { input: none, asks: { ok: z.boolean() } }, (_, { ask }) => ask('ok'));

describeEverywhere('a run with a timeout', (place) => {
  test('fails while it waits for an answer, and is listed as waiting until then', async () => {
    const clock = virtualClock();
    const engine = await place().open({ clock });
    const run = await engine.start(asking, {}, { id: 'r', timeout: '10m' });
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'ok' }] });
    await clock.advance('9m');
    expect(await run.summary()).toMatchObject({ status: 'waiting' });
    const failing = run.result().catch((error: unknown) => error);
    await clock.advance('2m');
    expect(await failing).toMatchObject({ ...timedOut, details: { runId: 'r', timeoutMs: 600_000 } });
    expect(await engine.asks().toArray()).toEqual([]);
  });

  test('that ends in time is not disturbed', async () => {
    const clock = virtualClock();
    const engine = await place().open({ clock });
    const run = await engine.start(asking, {}, { timeout: '10m' });
    await run.outcome();
    await run.answer('ok', true);
    expect(await run.result()).toBe(true);
    await clock.advance('20m');
    expect(await run.summary()).toMatchObject({ status: 'completed', wakeAt: null });
  });

  test('aborts the step in flight', async () => {
    const clock = virtualClock();
    const begun = gate();
    let reason: unknown;
    const stuck = workflow('stuck', { input: none }, (_, { step }) =>
      step('a', ({ signal }) => {
        begun.open();
        return new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve();
          });
        });
      }),
    );
    const engine = await place().open({ clock });
    const run = await engine.start(stuck, {}, { timeout: '1s' });
    await begun.opened;
    const failing = run.result().catch((error: unknown) => error);
    await clock.advance('2s');
    expect(await failing).toMatchObject(timedOut);
    expect(reason).toMatchObject(timedOut);
  });

  test('fails although no process was there at its deadline, and pausing does not save it', async () => {
    const clock = virtualClock();
    const here = place();
    const pausing = graph('pausing', { state: { log: list<string>() } })
      .node('a', () => ({ log: 'a' }))
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const before = await here.open({ clock });
    await before.submit(asking, {}, { id: 'submitted', timeout: '1h' });
    await before.start(asking, {}, { id: 'asks', timeout: '1h' }).outcome();
    await before.start(pausing, {}, { id: 'paused', timeout: '1h', pauseBefore: ['a'] }).outcome();
    await before.close();
    await clock.advance('2h');
    const engine = await here.open({ clock, graphs: [asking, pausing] });
    expect(await engine.recover()).toBe(3);
    for (const id of ['submitted', 'asks', 'paused'])
      await expect(engine.get(id).result()).rejects.toMatchObject({ ...timedOut, details: { runId: id } });
  });

  test('takes its children along, and gives the time again when it is resumed', async () => {
    const clock = virtualClock();
    const outer = workflow('outer', { input: none }, (_, { child }) => child('c', asking, {}));
    const engine = await place().open({ clock });
    const run = await engine.start(outer, {}, { id: 'r', timeout: '1m' });
    await run.outcome();
    const failing = run.result().catch((error: unknown) => error);
    await clock.advance('2m');
    expect(await failing).toMatchObject(timedOut);
    await expect
      .poll(() => engine.runs({ parentId: 'r' }).toArray())
      .toMatchObject([{ graph: 'asking', status: 'failed' }]);
    await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    const question = await engine.asks(asking).first();
    await engine.answer(question?.id ?? '', true);
    expect(await run.result()).toBe(true);
  });

  test('gives each turn the time again, and a fork only what it is given itself', async () => {
    const clock = virtualClock();
    const chat = graph('chat', { state: { log: list<string>() }, asks: { ok: z.boolean() } })
      .node('talk', async ({ ask }) => ({ log: String(await ask('ok')) }))
      .edge('start', 'talk')
      .edge('talk', 'end')
      .compile();
    const engine = await place().open({ clock });
    const first = await engine.start(chat, {}, { id: 'r', turn: '1', timeout: '1m' });
    await first.outcome();
    const fork = await first.fork({ id: 'f', resume: true });
    await first.answer('ok', true);
    await first.result();
    await clock.advance('2m');
    const second = await engine.start(chat, {}, { id: 'r', turn: '2' });
    expect(await second.outcome()).toMatchObject({ status: 'waiting' });
    const failing = second.result().catch((error: unknown) => error);
    await clock.advance('2m');
    expect(await failing).toMatchObject(timedOut);
    expect(await fork.outcome()).toMatchObject({ status: 'waiting' });
  });

  test.each(['soon', -1, Number.NaN])('is refused with the timeout %o', async (timeout) => {
    const engine = await place().open();
    await expect(engine.start(asking, {}, { timeout: timeout as never })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
      details: { option: 'timeout' },
    });
  });
});
