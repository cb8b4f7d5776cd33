import { graph, list, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const none = z.object({});
const ok = { show: z.string(), answer: z.boolean() };

/** Three questions of one name: two at once, one in a later super-step. */
const many = graph('many', { state: { log: list<string>() }, asks: { ok }, receives: { go: z.number() } })
  .each(
    'asks',
    () => [0, 1],
    async (item, c) => ({ log: `${item} ${await c.ask('ok', `item ${item}`)}` }),
  )
  .node('again', async (c) => ({ log: `again ${await c.ask('ok', 'again')}` }))
  .node('rests', async ({ receive }) => ({ log: `${await receive('go')}` }))
  .edge('start', 'asks')
  .edge('asks', 'again')
  .edge('again', 'rests')
  .edge('rests', 'end')
  .compile();

const one = workflow('one', { input: none, asks: { ok }, receives: { go: z.number() } }, async (_, c) => {
  const answer = await c.ask('ok', 'q');
  await c.receive('go');
  return answer;
});

describeEverywhere('the same answer by id again', (place) => {
  test('is fine for every question of the name, and another one is refused', async () => {
    const engine = await place().open({ graphs: [many] });
    const run = await engine.start(many, {}, { id: 'r' });
    const outcome = await run.outcome();
    if (outcome.status !== 'waiting') throw new Error(outcome.status);
    const [first, second] = outcome.waits.map(({ id }) => id) as [string, string];
    await run.answer('ok', true, { id: first, by: 'ada' });
    await run.answer('ok', true, { id: first });
    await run.answer('ok', false, { id: second, by: 'bob' });
    await run.outcome();
    const [third] = await all(engine.asks());
    await run.answer('ok', true, { id: third?.id as string, by: 'eve' });
    await run.outcome();
    const { head } = await run.summary();
    await run.answer('ok', true, { id: first });
    await run.answer('ok', false, { id: second });
    await run.answer('ok', true, { id: third?.id as string });
    for (const [id, other, by] of [
      [first, false, 'ada'],
      [second, true, 'bob'],
      [third?.id as string, false, 'eve'],
    ] as const) {
      await expect(run.answer('ok', other, { id })).rejects.toMatchObject({
        code: 'HOLDFAST_ALREADY_ANSWERED',
        details: { by },
      });
    }
    await expect(run.answer('ok', true, { id: 'k0' })).rejects.toMatchObject({ code: 'HOLDFAST_UNKNOWN_QUESTION' });
    expect((await run.summary()).head).toBe(head);
    await run.send('go', 1);
    expect(await run.result()).toEqual({ log: ['0 true', '1 false', 'again true', '1'] });
    // Also after the end, and on a fork that shares the questions.
    await run.answer('ok', true, { id: first });
    const fork = await run.fork({ id: 'f' });
    await fork.answer('ok', false, { id: second });
    await expect(fork.answer('ok', true, { id: second })).rejects.toMatchObject({ code: 'HOLDFAST_ALREADY_ANSWERED' });
  });
});

describeEverywhere('two answers without the code', (place) => {
  test('the first valid one counts, and the other is a refused event that says who won', async () => {
    const here = place();
    const engine = await here.open();
    await (await engine.start(one, {}, { id: 'r' })).outcome();
    await engine.close();
    const client = await here.open({ executes: false });
    const from = await client.get('r');
    await from.answer('ok', 'maybe', { by: 'zoe' });
    await from.answer('ok', true, { by: 'ada' });
    await from.answer('ok', false, { by: 'bob' });
    await from.answer('ok', true, { by: 'ada' });
    await client.close();
    const worker = await here.open({ graphs: [one] });
    await worker.recover();
    const run = await worker.get(one, 'r');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive' }] });
    const events = await all(run.events({ until: 'idle' }));
    expect(events.filter(({ type }) => type === 'refused')).toMatchObject([
      { error: { code: 'HOLDFAST_INVALID_VALUE' } },
      { error: { code: 'HOLDFAST_ALREADY_ANSWERED', details: { by: 'ada' } } },
    ]);
    expect(events.filter((event) => event.type === 'wait-end')).toMatchObject([{ how: 'done', by: 'ada' }]);
    await run.send('go', 1);
    expect(await run.result()).toBe(true);
  });

  test('one that is validated wins over those that nobody has validated yet', async () => {
    const here = place();
    const engine = await here.open();
    await (await engine.start(one, {}, { id: 'r' })).outcome();
    await engine.close();
    const client = await here.open({ executes: false });
    await (await client.get('r')).answer('ok', true, { by: 'ada' });
    await (await client.get(one, 'r')).answer('ok', false, { by: 'bob' });
    await client.close();
    const worker = await here.open({ graphs: [one] });
    await worker.recover();
    const run = await worker.get(one, 'r');
    await run.send('go', 1);
    expect(await run.result()).toBe(false);
    const events = await all(run.events());
    expect(events.filter(({ type }) => type === 'refused')).toMatchObject([
      { error: { code: 'HOLDFAST_ALREADY_ANSWERED', details: { by: 'bob' } } },
    ]);
  });
});

describeEverywhere('the same answer from several people', (place) => {
  test('a validated one counts at once, whatever was said before without the code', async () => {
    const here = place();
    const engine = await here.open();
    await (await engine.start(one, {}, { id: 'r' })).outcome();
    await engine.close();
    const client = await here.open({ executes: false });
    const from = await client.get('r');
    await from.answer('ok', false, { by: 'ada' });
    await from.answer('ok', true, { by: 'bob' });
    await (await client.get(one, 'r')).answer('ok', true, { by: 'eve' });
    await client.close();
    const worker = await here.open({ graphs: [one] });
    await worker.recover();
    const run = await worker.get(one, 'r');
    await run.send('go', 1);
    expect(await run.result()).toBe(true);
    // Only ada said something else.
    expect((await all(run.events())).filter(({ type }) => type === 'refused')).toMatchObject([
      { error: { code: 'HOLDFAST_ALREADY_ANSWERED', details: { by: 'eve' } } },
    ]);
  });
});

describeEverywhere('an answer to a question that does not exist', (place) => {
  const inner = graph('inner', { state: { log: list<string>() }, asks: { ok } })
    .node('asks', async (c) => ({ log: String(await c.ask('ok', 'q')) }))
    .edge('start', 'asks')
    .edge('asks', 'end')
    .compile();
  const outer = graph('outer', { state: { log: list<string>() }, receives: { go: z.number() } })
    .node('rests', async ({ receive }) => ({ log: `${await receive('go')}` }))
    .graph('part', inner, { in: () => ({}), out: ({ log }) => ({ log: [...log] }) })
    .edge('start', 'rests')
    .edge('rests', 'part')
    .edge('part', 'end')
    .compile();

  test.each(['nowhere/ok', 'part/other', 'rests/ok', 'ok', 'part/asks/ok'])('%s is refused', async (name) => {
    const engine = await place().open();
    const run = await engine.start(outer, {}, { id: 'r' });
    await run.outcome();
    const { head } = await run.summary();
    await expect(run.answer(name as never, true as never)).rejects.toMatchObject({
      code: 'HOLDFAST_UNKNOWN_QUESTION',
      details: { name, known: ['part/ok'] },
    });
    await expect(run.answer('part/ok', 'yes' as never)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
    expect((await run.summary()).head).toBe(head);
    await run.answer('part/ok', true);
    await run.send('go', 1);
    expect(await run.result()).toEqual({ log: ['1', 'true'] });
  });

  test('is a refused event when it was given without the code', async () => {
    const here = place();
    const engine = await here.open();
    await (await engine.start(outer, {}, { id: 'r' })).outcome();
    await engine.close();
    const client = await here.open({ executes: false });
    const from = await client.get('r');
    for (const name of ['nowhere/ok', 'part/other', 'other']) await from.answer(name, true);
    await from.answer('part/ok', true);
    await client.close();
    const worker = await here.open({ graphs: [outer] });
    expect(await worker.recover()).toBe(1);
    const run = await worker.get(outer, 'r');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive' }] });
    expect((await all(run.events({ until: 'idle' }))).filter(({ type }) => type === 'refused')).toMatchObject([
      { error: { code: 'HOLDFAST_UNKNOWN_QUESTION', details: { name: 'nowhere/ok' } } },
      { error: { code: 'HOLDFAST_UNKNOWN_QUESTION', details: { name: 'part/other' } } },
      { error: { code: 'HOLDFAST_UNKNOWN_QUESTION', details: { name: 'other' } } },
    ]);
    await run.send('go', 1);
    expect(await run.result()).toEqual({ log: ['1', 'true'] });
  });
});
