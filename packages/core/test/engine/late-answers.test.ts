import { counter, graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const none = z.object({});
const ok = { show: z.string(), answer: z.boolean() };

/** Asks, and continues without an answer after a minute; then asks again by the same name. */
const twice = workflow('twice', { input: none, asks: { ok }, receives: { go: z.number() } }, async (_, c) => {
  const first = await c.ask('ok', 'first', { timeout: '1m' });
  await c.receive('go');
  return [first, await c.ask('ok', 'second')];
});

describeEverywhere('an answer that comes after its question timed out', (place) => {
  test('is refused, and does not answer a later question of the same name', async () => {
    const clock = virtualClock();
    const here = place();
    const engine = await here.open({ clock, graphs: [twice] });
    const run = await engine.start(twice, {}, { id: 'r' });
    await run.outcome();
    const [first] = await all(engine.asks());
    await clock.advance('2m');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive' }] });
    const { head } = await run.summary();
    const closed = { code: 'HOLDFAST_QUESTION_CLOSED', details: { runId: 'r', name: 'ok' } };
    await expect(run.answer('ok', true)).rejects.toMatchObject(closed);
    await expect(run.answer('ok', true, { id: first?.id as string })).rejects.toMatchObject(closed);
    expect((await run.summary()).head).toBe(head);
    await run.send('go', 1);
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'ask', show: 'second' }] });
    await expect(run.answer('ok', true, { id: first?.id as string })).rejects.toMatchObject(closed);
    await run.answer('ok', false);
    expect(await run.result()).toEqual([undefined, false]);
  });

  test('is refused after a restart and a prune too', async () => {
    const looping = graph('looping', {
      state: { n: counter(), log: list<string>() },
      asks: { ok },
      receives: { go: z.number() },
    })
      .node('asks', async (c) => ({ log: String(await c.ask('ok', `q${c.state.n}`, { timeout: '1m' })) }))
      .node('rests', async ({ receive }) => ({ n: await receive('go') }))
      .edge('start', 'asks')
      .edge('asks', 'rests')
      .route('rests', ['asks', 'end'], ({ n }) => (n < 2 ? 'asks' : 'end'))
      .compile();
    const clock = virtualClock();
    const here = place();
    const before = await here.open({ clock });
    const asked = await before.start(looping, {}, { id: 'r' });
    await asked.outcome();
    await clock.advance('2m');
    await asked.outcome();
    await before.prune({ keep: 1 });
    await before.close();
    const engine = await here.open({ clock, graphs: [looping] });
    const run = await engine.get(looping, 'r');
    await expect(run.answer('ok', true)).rejects.toMatchObject({ code: 'HOLDFAST_QUESTION_CLOSED' });
    await run.send('go', 1);
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'ask', show: 'q1' }] });
    await run.answer('ok', true);
    await run.outcome();
    // The same again is fine for the question that was answered.
    await run.answer('ok', true);
    await run.send('go', 1);
    expect(await run.result()).toMatchObject({ log: ['undefined', 'true'] });
  });

  test('is refused when the run continued without it: it lost a race', async () => {
    const racing = workflow('racing', { input: none, asks: { ok }, receives: { go: z.number() } }, async (_, c) => {
      const first = await Promise.race([c.ask('ok', 'first'), c.receive('go')]);
      const second = await c.receive('go');
      return [first, second, await c.ask('ok', 'second')];
    });
    const between = graph('between', { state: { log: list<string>() }, asks: { ok }, receives: { go: z.number() } })
      .node('races', async (c) => ({ log: String(await Promise.race([c.ask('ok', 'first'), c.receive('go')])) }))
      .node('rests', async ({ receive }) => ({ log: String(await receive('go')) }))
      .node('asks', async (c) => ({ log: String(await c.ask('ok', 'second')) }))
      .edge('start', 'races')
      .edge('races', 'rests')
      .edge('rests', 'asks')
      .edge('asks', 'end')
      .compile();
    const engine = await place().open();
    // In one super-step the question stays open until its task ends; after it, it is closed.
    const open = await engine.start(racing, {});
    await open.outcome();
    await open.send('go', 1);
    await open.outcome();
    await open.answer('ok', true);
    await open.send('go', 2);
    await open.outcome();
    await open.answer('ok', false);
    expect(await open.result()).toEqual([1, 2, false]);
    const run = await engine.start(between, {});
    await run.outcome();
    await run.send('go', 1);
    await run.outcome();
    await expect(run.answer('ok', true)).rejects.toMatchObject({ code: 'HOLDFAST_QUESTION_CLOSED' });
    await run.send('go', 2);
    await run.outcome();
    await run.answer('ok', false);
    expect(await run.result()).toEqual({ log: ['1', '2', 'false'] });
  });

  test('is refused for an inner graph that has ended, and does not answer its next run', async () => {
    const inner = graph('inner', { state: { log: list<string>() }, asks: { ok } })
      .node('asks', async (c) => ({ log: String(await c.ask('ok', 'q', { timeout: '1m' })) }))
      .edge('start', 'asks')
      .edge('asks', 'end')
      .compile();
    const outer = graph('outer', { state: { n: counter(), log: list<string>() }, receives: { go: z.number() } })
      .graph('part', inner, { in: () => ({}), out: ({ log }) => ({ log: [...log] }) })
      .node('rests', async ({ receive }) => ({ n: await receive('go') }))
      .edge('start', 'part')
      .edge('part', 'rests')
      .route('rests', ['part', 'end'], ({ n }) => (n < 2 ? 'part' : 'end'))
      .compile();
    const clock = virtualClock();
    const engine = await place().open({ clock });
    const run = await engine.start(outer, {}, { id: 'r' });
    await run.outcome();
    await clock.advance('2m');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive' }] });
    await expect(run.answer('part/ok', true)).rejects.toMatchObject({ code: 'HOLDFAST_QUESTION_CLOSED' });
    await run.send('go', 1);
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'ask', name: 'part/ok' }] });
    await run.answer('part/ok', false);
    await run.outcome();
    await run.answer('part/ok', false);
    await run.send('go', 1);
    expect(await run.result()).toMatchObject({ log: ['undefined', 'false'] });
  });
});

describeEverywhere('an answer that comes before its question', (place) => {
  test('is kept, also from somebody without the code', async () => {
    const late = workflow('late', { input: none, asks: { ok }, receives: { go: z.number() } }, async (_, c) => {
      await c.receive('go');
      return c.ask('ok', 'q');
    });
    const here = place();
    const engine = await here.open();
    await (await engine.start(late, {}, { id: 'r' })).outcome();
    await engine.close();
    const client = await here.open({ executes: false });
    await (await client.get('r')).answer('ok', true, { by: 'ada' });
    await client.close();
    const again = await here.open({ graphs: [late] });
    await again.recover();
    const run = await again.get(late, 'r');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive' }] });
    await run.send('go', 1);
    expect(await run.result()).toBe(true);
  });
});
