import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { begin, work } from './scene.ts';
import { anything, nobody, type Shown } from './workload.ts';

const question = { show: anything<Shown>(), answer: anything<string>() };

/** Waits until somebody cancels its parent. */
export const dependent = workflow(
  'dependent',
  { input: anything<{ readonly v: number }>(), asks: { approve: question } },
  async (_, ctx) => {
    begin(ctx, 'main');
    return ctx.ask('approve', nobody);
  },
);

/** Ends only by being cancelled: while it waits for a child and a question, or whatever it does. */
export const calledOff = graph('called-off', {
  state: { v: anything<number>(), log: list<string>() },
  asks: { approve: question },
})
  .node('first', async (ctx) => {
    begin(ctx, 'first');
    return { log: await work(ctx, { node: 'first', name: 'pay', once: true }) };
  })
  .node('parent', async (ctx) => {
    begin(ctx, 'parent');
    return { log: await ctx.child('dependent', dependent, { v: ctx.state.v }) };
  })
  .node('goes-on', async (ctx) => {
    begin(ctx, 'goes-on');
    await work(ctx, { node: 'goes-on', name: 'look' });
    await ctx.sleep('nap', 60);
    return {};
  })
  .route('start', ['first', 'goes-on'], ({ v }) => (v === 0 ? 'first' : 'goes-on'))
  .edge('first', 'parent')
  .edge('parent', 'end')
  .edge('goes-on', 'goes-on')
  .compile();
