import { graph, list, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, gate, memoryPlace } from './every-place.ts';

const chat = graph('chat', { state: { said: list<string>() }, receives: { go: z.number() } })
  .node('reply', ({ state }) => ({ said: `re: ${state.said.at(-1)}` }))
  .edge('start', 'reply')
  .edge('reply', 'end')
  .compile();

describeEverywhere('start', (place) => {
  test('with an id that is there gives that run and executes nothing twice; another input is refused', async () => {
    let runs = 0;
    const count = workflow('count', { input: z.object({ a: z.number(), b: z.number() }) }, async ({ a, b }) => {
      runs += 1;
      return a + b;
    });
    const here = place();
    const engine = await here.open();
    const first = await engine.start(count, { a: 1, b: 2 }, { id: 'r' });
    expect(await first.result()).toBe(3);
    const again = await engine.start(count, { b: 2, a: 1 }, { id: 'r' });
    expect(await again.result()).toBe(3);
    expect(runs).toBe(1);
    await expect(engine.start(count, { a: 1, b: 3 }, { id: 'r' })).rejects.toMatchObject({
      code: 'HOLDFAST_INPUT_MISMATCH',
    });
    await expect(engine.start(chat, { said: 'x' }, { id: 'r' })).rejects.toMatchObject({
      code: 'HOLDFAST_INPUT_MISMATCH',
    });
    expect(await (await first.resume()).outcome()).toMatchObject({ status: 'completed', output: 3 });
    expect(runs).toBe(1);
  });

  test('many at once with one id are one run', async () => {
    let runs = 0;
    const count = workflow('count', { input: z.object({}) }, async (_, { step }) =>
      step('count', () => {
        runs += 1;
        return runs;
      }),
    );
    const engine = await place().open();
    const started = await Promise.all(Array.from({ length: 8 }, () => engine.start(count, {}, { id: 'r' })));
    expect(await Promise.all(started.map((run) => run.result()))).toEqual(Array.from({ length: 8 }, () => 1));
    expect(runs).toBe(1);
  });

  test('takes turns: merged by the reducers, in one journal, the same again is the same', async () => {
    const here = place();
    const engine = await here.open();
    const one = await engine.start(chat, { said: 'hi' }, { id: 'c', turn: 't1' });
    expect(await one.outcome()).toMatchObject({ state: { said: ['hi', 're: hi'] } });
    const two = await engine.start(chat, { said: 'ho' }, { id: 'c', turn: 't2' });
    expect(await two.outcome()).toMatchObject({ state: { said: ['hi', 're: hi', 'ho', 're: ho'] } });
    const again = await engine.start(chat, { said: 'ho' }, { id: 'c', turn: 't2' });
    expect(await again.outcome()).toMatchObject({ state: { said: ['hi', 're: hi', 'ho', 're: ho'] } });
    await engine.start(chat, { said: 'hi' }, { id: 'c', turn: 't1' });
    await expect(engine.start(chat, { said: 'hu' }, { id: 'c', turn: 't2' })).rejects.toMatchObject({
      code: 'HOLDFAST_INPUT_MISMATCH',
    });
    const turns = (await all(one.events())).flatMap((event) => (event.type === 'turn' ? [event.turn] : []));
    expect(turns).toEqual(['t1', 't2']);
    const later = (await all(two.events({ after: two.cursor }))).map(({ type }) => type);
    expect(later).toEqual(['turn', 'node-end', 'checkpoint', 'run-end']);
  });
});

describe('turns', () => {
  test('that are not named are new each time, and a second message without one says so', async () => {
    const engine = await memoryPlace().open();
    for (const said of ['hi', 'hi']) await engine.start(chat, { said }, { id: 'c', turn: true }).outcome();
    expect(await engine.get(chat, 'c').outcome()).toMatchObject({ state: { said: ['hi', 're: hi', 'hi', 're: hi'] } });
    await expect(engine.start(chat, { said: 'ho' }, { id: 'c' })).rejects.toThrow('Pass `turn` for the next turn');
    await expect(engine.start(chat, { said: 'ho' }, { turn: true })).rejects.toThrow('turn needs the id of a run');
  });

  test('queue behind one that runs or waits', async () => {
    const first = gate();
    const slow = graph('slow', { state: { said: list<string>() }, receives: { go: z.number() } })
      .node('reply', async ({ state, receive, step }) => {
        await step('wait', () => (state.said.length === 1 ? first.opened : undefined));
        if (state.said.length === 1) await receive('go');
        return { said: `re: ${state.said.at(-1)}` };
      })
      .edge('start', 'reply')
      .edge('reply', 'end')
      .compile();
    const engine = await memoryPlace().open();
    const run = await engine.start(slow, { said: 'a' }, { id: 'c', turn: '1' });
    await engine.start(slow, { said: 'b' }, { id: 'c', turn: '2' });
    first.open();
    expect(await run.outcome()).toMatchObject({ status: 'waiting', state: { said: ['a'] } });
    await engine.start(slow, { said: 'c' }, { id: 'c', turn: '3' });
    await run.send('go', 1);
    expect(await run.outcome()).toMatchObject({
      status: 'completed',
      state: { said: ['a', 're: a', 'b', 're: b', 'c', 're: c'] },
    });
  });

  test('are refused on a failed or cancelled run', async () => {
    const bad = graph('bad', { state: { said: list<string>() } })
      .node('reply', () => {
        throw new Error('no');
      })
      .edge('start', 'reply')
      .edge('reply', 'end')
      .compile();
    const engine = await memoryPlace().open();
    await (await engine.start(bad, { said: 'a' }, { id: 'c', turn: '1' })).outcome();
    await expect(engine.start(bad, { said: 'b' }, { id: 'c', turn: '2' })).rejects.toMatchObject({
      code: 'HOLDFAST_RUN_ENDED',
    });
    await expect(engine.start(bad, { said: 'b' }, { turn: '2' })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
  });

  test('one that cannot begin fails the run instead of hanging it', async () => {
    const picky = graph('picky', { state: { said: list<string>() } })
      .node('reply', () => ({ said: 'ok' }))
      .route('start', ['reply'], ({ said }) => {
        if (said.length > 1) throw new Error('too much');
        return 'reply';
      })
      .edge('reply', 'end')
      .compile();
    const engine = await memoryPlace().open();
    const run = await engine.start(picky, { said: 'a' }, { id: 'c', turn: '1' });
    await run.outcome();
    await engine.start(picky, { said: 'b' }, { id: 'c', turn: '2' });
    expect(await run.outcome()).toMatchObject({ status: 'failed' });
  });
});
