import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { begin, work } from './scene.ts';
import { anything, type Shown } from './workload.ts';

const question = { show: anything<Shown>(), answer: anything<string>() };

export const later = workflow(
  'later',
  { input: anything<{ readonly v: number }>(), asks: { approve: question } },
  async ({ v }, ctx) => {
    begin(ctx, 'main');
    return ctx.ask('approve', { who: `later ${v}` });
  },
);

/** More tries than a paused process can use up. */
const retry = { attempts: 30, backoff: 300, factor: 1 };

function failFirst({ attempt }: { readonly attempt: number }): void {
  if (attempt === 1) throw new Error('the first try fails');
}

/** Nodes that wait, in every way there is, after a try that failed. */
export const secondTry = graph('second-try', {
  state: { v: anything<number>(), log: list<string>() },
  asks: { approve: question },
  receives: { mail: anything<string>() },
})
  .node(
    'asks',
    async (ctx) => {
      begin(ctx, 'asks');
      failFirst(ctx);
      return { log: await ctx.ask('approve', { who: `second ${ctx.state.v}` }) };
    },
    { retry },
  )
  .node(
    'waits',
    async (ctx) => {
      begin(ctx, 'waits');
      failFirst(ctx);
      if (ctx.state.v === 0) return { log: await ctx.receive('mail') };
      if (ctx.state.v === 1) return { log: await ctx.child('later', later, { v: ctx.state.v }) };
      if (ctx.state.v === 2) await ctx.sleep('nap', 400);
      return { log: await work(ctx, { node: 'waits', name: 'call', fails: 1, tries: 3 }) };
    },
    { retry },
  )
  .node(
    'pays',
    async (ctx) => {
      begin(ctx, 'pays');
      return { log: await work(ctx, { node: 'pays', name: 'pay', once: true, hangs: true }) };
    },
    { retry, timeout: 150 },
  )
  .edge('start', ['asks', 'waits'])
  .edge(['asks', 'waits'], 'pays')
  .edge('pays', 'end')
  .compile();
