import { channel, graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const ok = { show: z.string(), answer: z.boolean() };

const chat = graph('chat', { state: { say: z.string(), log: list<string>() }, asks: { ok } })
  .node('hear', async (c) => ({ log: `${c.state.say} ${c.state.say === 'wait' ? await c.ask('ok', 'q') : 'heard'}` }))
  .edge('start', 'hear')
  .edge('hear', 'end')
  .compile();

describeEverywhere('a fork of a run with queued turns', (place) => {
  test('does not execute them: they are turns of the base', async () => {
    const engine = await place().open({ graphs: [chat] });
    const run = await engine.start(chat, { say: 'wait' }, { id: 'r', turn: 'one' });
    await run.outcome();
    await engine.start(chat, { say: 'two' }, { id: 'r', turn: 'two' });
    const fork = await run.fork({ id: 'f', resume: true });
    await fork.outcome();
    await fork.answer('ok', false);
    expect(await fork.result()).toMatchObject({ log: ['wait false'] });
    await run.answer('ok', true);
    await (await engine.start(chat, { say: 'two' }, { id: 'r', turn: 'two' })).result();
    expect((await run.state()).log).toEqual(['wait true', 'two heard']);
    expect((await fork.state()).log).toEqual(['wait false']);
  });

  test('takes a turn of the same name as its own, once', async () => {
    const engine = await place().open({ graphs: [chat] });
    const run = await engine.start(chat, { say: 'wait' }, { id: 'r', turn: 'one' });
    await run.outcome();
    await engine.start(chat, { say: 'two' }, { id: 'r', turn: 'two' });
    const fork = await run.fork({ id: 'f', resume: true });
    await fork.outcome();
    await fork.answer('ok', false);
    await fork.result();
    for (let time = 0; time < 2; time += 1) {
      const turn = await engine.start(chat, { say: 'other' }, { id: 'f', turn: 'two' });
      expect(await turn.result()).toMatchObject({ log: ['wait false', 'other heard'] });
    }
    // A turn that the base had begun is the fork's too.
    await engine.start(chat, { say: 'wait' }, { id: 'f', turn: 'one' });
    expect((await fork.state()).log).toEqual(['wait false', 'other heard']);
  });
});

const three = graph('three', { state: { n: channel<number>(), log: list<string>() } })
  .node('a', () => ({ log: 'a' }))
  .node('b', ({ state }) => ({ log: `b ${state.n}` }))
  .node('c', () => ({ log: 'c' }))
  .edge('start', 'a')
  .edge('a', 'b')
  .edge('b', 'c')
  .edge('c', 'end')
  .compile();

describeEverywhere('a fork of a paused run', (place) => {
  const pauses = [
    { where: 'before b', options: { pauseBefore: ['b'] } },
    { where: 'after a', options: { pauseAfter: ['a'] } },
  ] as const;

  test.each(pauses)('$where continues with one resume, also with an edited state', async ({ options }) => {
    const engine = await place().open({ graphs: [three] });
    const run = await engine.start(three, { n: 1 }, { id: 'r', ...options });
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'pause' }] });
    const fork = await run.fork({ id: 'f' });
    expect(await fork.outcome()).toMatchObject({ status: 'suspended' });
    await fork.resume();
    expect(await fork.result()).toMatchObject({ log: ['a', 'b 1', 'c'] });
    const edited = await run.fork({ id: 'edited', set: { n: 2 } });
    await edited.resume();
    expect(await edited.result()).toMatchObject({ log: ['a', 'b 2', 'c'] });
    const here = await run.fork({ id: 'here', set: { n: 3 }, resume: true });
    expect(await here.result()).toMatchObject({ log: ['a', 'b 3', 'c'] });
    const elsewhere = await run.fork({ id: 'elsewhere', next: ['c'], resume: true });
    expect(await elsewhere.result()).toMatchObject({ log: ['a', 'c'] });
    // The base is still paused.
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'pause' }] });
    expect((await all(engine.runs({ status: 'waiting' }))).map(({ id }) => id)).toEqual(['r']);
  });

  test('pauses at the nodes that come later', async () => {
    const engine = await place().open({ graphs: [three] });
    const run = await engine.start(three, { n: 1 }, { id: 'r', pauseBefore: ['b', 'c'] });
    await run.outcome();
    const fork = await (await run.fork({ id: 'f' })).resume();
    expect(await fork.outcome()).toMatchObject({ waits: [{ kind: 'pause', node: 'c' }] });
  });
});
