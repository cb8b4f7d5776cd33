import { counter, graph, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, memoryPlace } from './every-place.ts';

const pay = graph('pay', { state: { cents: z.number(), paid: counter() } })
  .node('check', () => ({}))
  .node('charge', ({ state }) => ({ paid: state.cents }))
  .edge('start', 'check')
  .edge('check', 'charge')
  .edge('charge', 'end')
  .compile();

const chat = workflow(
  'chat',
  { input: z.string(), emits: z.string(), asks: { ok: z.boolean() } },
  async (name, ctx) => {
    for (const word of ['Hello', name]) ctx.emit(word);
    return ctx.ask('ok');
  },
);

describeEverywhere('a started run', (place) => {
  test('has the methods of the run and its id before it is awaited', async () => {
    const engine = await place().open();
    const started = engine.start(pay, { cents: 5 }, { id: 'p' });
    expect(started.id).toBe('p');
    expect((await started.result()).paid).toBe(5);
    expect((await engine.get(pay, 'p').outcome()).status).toBe('completed');
    expect(await engine.start(pay, { cents: 5 }).resume().result()).toMatchObject({ paid: 5 });
  });

  test('streams the emits of its turn until it needs input', async () => {
    const engine = await place().open();
    const run = engine.start(chat, 'Ada', { id: 'c' });
    const words: string[] = [];
    for await (const word of run.emits()) words.push(word);
    expect(words).toEqual(['Hello', 'Ada']);
    await run.answer('ok', true);
    expect(await run.result()).toBe(true);
  });

  test('forks before a node', async () => {
    const engine = await place().open();
    const run = await engine.start(pay, { cents: 5 }, { id: 'p' });
    await run.result();
    const cheaper = run.fork({ before: 'charge', set: { cents: 3 }, resume: true, id: 'q' });
    expect(cheaper.id).toBe('q');
    expect(await cheaper.result()).toMatchObject({ cents: 3, paid: 3 });
    await expect(run.fork({ before: 'nowhere' as 'charge' })).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(run.fork({ at: 'p@1', before: 'charge' })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });
});

describe('a started run', () => {
  test('is a promise of a run that is not thenable itself', async () => {
    const engine = await memoryPlace().open();
    const run = await engine.start(pay, { cents: 1 });
    expect('then' in run).toBe(false);
    expect(run.id).toMatch(/^\w+$/);
  });

  test('rejects once, where it is used', async () => {
    const engine = await memoryPlace().open();
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    const wrong = engine.start(pay, { cents: 'many' as never });
    const stream = wrong.events();
    const list = wrong.history();
    await expect(wrong.result()).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
    await new Promise((resolve) => setImmediate(resolve));
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
    await expect(list.first()).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
    expect(unhandled).toEqual([]);
    process.off('unhandledRejection', listen);
  });
});

describe('listings', () => {
  test('have toArray, first and find', async () => {
    const engine = await memoryPlace().open();
    for (const id of ['a', 'b', 'c']) await engine.start(pay, { cents: 1 }, { id }).result();
    expect((await engine.runs().toArray()).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect((await engine.runs().first())?.id).toBe('c');
    expect((await engine.runs().find(({ id }) => id === 'a'))?.graph).toBe('pay');
    expect(await engine.asks().toArray()).toEqual([]);
    expect(
      (
        await engine
          .get(pay, 'a')
          .history()
          .find(({ next }) => next.includes('charge'))
      )?.superstep,
    ).toBe(1);
  });
});
