// What a body is given belongs to it. What it changes is nobody else's, and not there when the body runs again.
import { graph, list, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere } from './every-place.ts';

const lines = z.object({ lines: z.array(z.string()) });
const kid = workflow('kid', { input: lines }, async (input) => {
  input.lines.push('kid');
  return input;
});
const given: string[] = [];

const changing = workflow(
  'changing',
  { input: lines, asks: { more: z.array(z.string()) }, receives: { news: lines } },
  async (input, { ask, child, receive, step }) => {
    const read = await step('read', () => ({ pages: new Map([['a', ['1']]]), at: new Date(0) }));
    given.push([...input.lines, ...(read.pages.get('a') ?? []), read.at.getTime()].join());
    input.lines.push('changed');
    read.pages.get('a')?.push('2');
    read.pages.set('b', []);
    read.at.setTime(7);
    const early = await ask('more');
    early.push('!');
    const late = await ask('more');
    late.push('?');
    const { news, born } = { news: await receive('news'), born: await child('kid', kid, input) };
    news.lines.push('read');
    born.lines.push('adult');
    return { input, read, early, late, news, born };
  },
);

describeEverywhere('a body', (place) => {
  test('may change its input, results of steps and children, answers and messages', async () => {
    given.length = 0;
    const engine = await place().open();
    const input = { lines: ['x'] };
    const run = await engine.start(changing, input, { id: 'r' });
    await run.answer('more', ['early']);
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'more' }] });
    await run.answer('more', ['late']);
    await run.send('news', { lines: ['n'] });
    expect(await run.result()).toEqual({
      input: { lines: ['x', 'changed'] },
      read: {
        pages: new Map([
          ['a', ['1', '2']],
          ['b', []],
        ]),
        at: new Date(7),
      },
      early: ['early', '!'],
      late: ['late', '?'],
      news: { lines: ['n', 'read'] },
      born: { lines: ['x', 'changed', 'kid', 'adult'] },
    });
    expect(input).toEqual({ lines: ['x'] });
    // Each time that it ran again, it was given what is in the journal.
    expect(given.length).toBeGreaterThan(1);
    expect(new Set(given)).toEqual(new Set(['x,1,0']));
  });

  test('changes nothing for those who read the output', async () => {
    const run = await (await place().open()).start(kid, { lines: [] });
    (await run.result()).lines.push('mine');
    expect(await run.result()).toEqual({ lines: ['kid'] });
  });

  test('cannot change the state of a graph', async () => {
    const changes = graph('changes', { state: { log: list<{ at: number[] }>() } })
      .node('change', ({ state }) => {
        (state.log as { at: number[] }[])[0]?.at.push(2);
      })
      .edge('start', 'change')
      .edge('change', 'end')
      .compile();
    const engine = await place().open();
    await expect(engine.start(changes, { log: [{ at: [1] }] }).result()).rejects.toThrow('not extensible');
  });
});
