import { channel } from '../../src/channel/channel.ts';
import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { begin, work } from './scene.ts';
import { anything, nobody, type Shown } from './workload.ts';

const question = { show: anything<Shown>(), answer: anything<string>() };

/** Asks what nobody answers in time, rests, and asks by the same name again. */
export const tooLate = graph('too-late', {
  state: { v: anything<number>(), log: list<string>() },
  asks: { approve: question },
  receives: { go: anything<string>() },
})
  .node('hurries', async (ctx) => {
    begin(ctx, 'hurries');
    // It times out, or it loses a race.
    const first =
      ctx.state.v === 0
        ? ctx.ask('approve', nobody, { timeout: 150 })
        : Promise.race([ctx.ask('approve', nobody), ctx.sleep('nap', 150)]);
    return { log: (await first) ?? 'nobody answered' };
  })
  .node('rests', async (ctx) => {
    begin(ctx, 'rests');
    return { log: await ctx.receive('go') };
  })
  .node('asks', async (ctx) => {
    begin(ctx, 'asks');
    return { log: await ctx.ask('approve', { who: `too late ${ctx.state.v}` }) };
  })
  .edge('start', 'hurries')
  .edge('hurries', 'rests')
  .edge('rests', 'asks')
  .edge('asks', 'end')
  .compile();

export const loser = workflow(
  'loser',
  { input: anything<{ readonly v: number }>(), asks: { approve: question } },
  async (_, ctx) => {
    begin(ctx, 'main');
    return ctx.ask('approve', nobody);
  },
);

/** Continues without a child that waits for ever. */
export const lostRace = graph('lost-race', { state: { v: anything<number>(), log: list<string>() } })
  .each(
    'races',
    (state) => [0, 1].slice(0, 1 + (state.v % 2)),
    async (v, ctx) => {
      begin(ctx, 'races');
      const child = ctx.child('loser', loser, { v });
      return { log: (await Promise.race([child, ctx.sleep('nap', 100 + 150 * v)])) ?? `continued ${v}` };
    },
  )
  .node('after', async (ctx) => {
    begin(ctx, 'after');
    return { log: await work(ctx, { node: 'after', name: 'after' }) };
  })
  .edge('start', 'races')
  .route('races', ['after', 'end'], (state) => (state.v < 2 ? 'after' : 'end'))
  .edge('after', 'end')
  .compile();

/** Is told to pause, forked there, and resumed. */
export const pausing = graph('pausing', {
  state: { v: anything<number>(), log: list<string>(), extra: channel<string>() },
})
  .node('first', async (ctx) => {
    begin(ctx, 'first');
    return { log: await work(ctx, { node: 'first', name: 'first' }) };
  })
  .node('second', async (ctx) => {
    begin(ctx, 'second');
    const done = await work(ctx, { node: 'second', name: 'second', value: ctx.state.extra ?? 'as it was' });
    return { log: done };
  })
  .edge('start', 'first')
  .edge('first', 'second')
  .edge('second', 'end')
  .compile();
