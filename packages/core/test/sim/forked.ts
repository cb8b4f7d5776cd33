import { channel } from '../../src/channel/channel.ts';
import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { begin, takeTime, work } from './scene.ts';
import { anything, type Shown } from './workload.ts';

const question = { show: anything<Shown>(), answer: anything<string>() };

/** Is forked wherever it is at the moment; each fork comes to the same end. */
export const forked = graph('forked', {
  state: { v: anything<number>(), log: list<string>(), extra: channel<string>() },
  asks: { approve: question },
})
  .node('left', async (ctx) => {
    begin(ctx, 'left');
    const one = await work(ctx, { node: 'left', name: 'one' });
    return { log: `left ${one} ${await work(ctx, { node: 'left', name: 'two', fails: 1, tries: 3 })}` };
  })
  .node('right', async (ctx) => {
    begin(ctx, 'right');
    await takeTime(40);
    await ctx.sleep('nap', 80);
    return { log: 'right' };
  })
  .node('asks', async (ctx) => {
    begin(ctx, 'asks');
    return { log: await ctx.ask('approve', { who: `forked ${ctx.state.v}` }) };
  })
  .node('last', async (ctx) => {
    begin(ctx, 'last');
    return { log: await work(ctx, { node: 'last', name: 'last' }) };
  })
  .edge('start', ['left', 'right'])
  .edge(['left', 'right'], 'asks')
  .edge('asks', 'last')
  .edge('last', 'end')
  .compile();
