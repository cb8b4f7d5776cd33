import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { begin, work } from './scene.ts';
import { anything } from './workload.ts';

export const nap = workflow('nap', { input: anything<{ readonly v: number }>() }, async ({ v }, ctx) => {
  begin(ctx, 'main');
  await ctx.sleep('nap', 150);
  return work(ctx, { node: 'main', name: 'after', value: `after ${v}` });
});

/** Runs that wake together: more than a worker may execute. */
export const naps = graph('naps', { state: { v: anything<number>(), log: list<string>() } })
  .each(
    'nap',
    ({ v }) => [0, 1, 2, 3, 4].map((at) => 10 * v + at),
    async (v, ctx) => {
      begin(ctx, 'nap');
      return { log: await ctx.child('nap', nap, { v }) };
    },
  )
  .edge('start', 'nap')
  .edge('nap', 'end')
  .compile();
