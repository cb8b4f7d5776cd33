import { graph, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere } from './every-place.ts';

const none = z.object({});
const refunds = workflow(
  'refunds',
  { input: none, asks: { approve: { show: z.object({ cents: z.number() }), answer: z.boolean() }, why: z.string() } },
  async (_, { ask }) => ((await ask('approve', { cents: 7 })) ? 'paid' : await ask('why')),
);
const other = workflow('other', { input: none, asks: { approve: z.string() } }, (_, { ask }) => ask('approve'));
const outer = graph('outer', { state: { said: z.string().optional() } })
  .graph('inner', refunds, { in: () => ({}), out: (said) => ({ said }) })
  .edge('start', 'inner')
  .edge('inner', 'end')
  .compile();

describeEverywhere('an inbox', (place) => {
  test('lists the questions of one graph with their types, and runs by the graph or its name', async () => {
    const engine = await place().open();
    await engine.start(refunds, {}, { id: 'r', tags: { team: 'blue' } }).outcome();
    await engine.start(other, {}, { id: 'o' }).outcome();
    const [question, ...more] = await engine.asks(refunds).toArray();
    expect(more).toEqual([]);
    if (question?.name !== 'approve') throw new Error('expected the question "approve"');
    expect(question.show.cents).toBe(7);
    expect(await engine.asks(refunds, { tags: { team: 'red' } }).toArray()).toEqual([]);
    expect(await engine.asks({ graph: other }).toArray()).toMatchObject([{ runId: 'o' }]);
    expect(await engine.asks({ graph: 'other' }).toArray()).toMatchObject([{ runId: 'o' }]);
    for (const each of [refunds, 'refunds'])
      expect(await engine.runs({ graph: each }).toArray()).toMatchObject([{ id: 'r' }]);
    await expect(engine.runs({ graph: {} as never }).toArray()).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_GRAPH',
    });
  });

  test('answers a question that it listed, again with the same value, and not with another', async () => {
    const engine = await place().open();
    const run = await engine.start(refunds, {}, { id: 'r' });
    await run.outcome();
    const question = await engine.asks(refunds).first();
    if (question === undefined) throw new Error('expected a question');
    await expect(engine.answer(question, 'yes')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
    await engine.answer(question, true, { by: 'ada' });
    expect(await run.result()).toBe('paid');
    await engine.answer(question, true, { by: 'ada' });
    await expect(engine.answer(question, false)).rejects.toMatchObject({
      code: 'HOLDFAST_ALREADY_ANSWERED',
      message: expect.stringContaining('ada'),
    });
  });

  test('answers an open question by its id alone, and says that a closed one is not found', async () => {
    const engine = await place().open();
    await engine.start(other, {}, { id: 'o' }).outcome();
    const run = await engine.start(refunds, {}, { id: 'r' });
    await run.outcome();
    const { id } = (await engine.asks(refunds).first()) ?? { id: '' };
    await engine.answer(id, true);
    expect(await run.result()).toBe('paid');
    await expect(engine.answer(id, true)).rejects.toMatchObject({
      code: 'HOLDFAST_UNKNOWN_QUESTION',
      details: { id },
    });
    await expect(engine.answer('x', true, { who: 'ada' } as never)).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
  });

  test('answers the question of an inner graph as an outcome names it', async () => {
    const engine = await place().open();
    const run = await engine.start(outer, {}, { id: 'r' });
    const outcome = await run.outcome();
    const wait = outcome.status === 'waiting' ? outcome.waits[0] : undefined;
    if (wait?.kind !== 'ask') throw new Error('expected a question');
    expect(wait.name).toBe('inner/approve');
    await engine.answer(wait, true);
    expect(await run.result()).toMatchObject({ said: 'paid' });
  });
});
