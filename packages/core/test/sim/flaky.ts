import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { begin, scene, takeTime, work } from './scene.ts';
import { anything } from './workload.ts';

/** Fails: and is tried again, caught, compensated for, or mended. */
export const flaky = graph('flaky', { state: { v: anything<number>(), log: list<string>() } })
  .node(
    'tries',
    async (ctx) => {
      begin(ctx, 'tries');
      const done = await work(ctx, { node: 'tries', name: 'before' });
      await takeTime(20);
      if (ctx.attempt <= ctx.state.v % 3) throw new Error('tries fails');
      return { log: `tries after ${done}` };
    },
    { retry: { attempts: 3, backoff: 80 } },
  )
  .node(
    'caught',
    async (ctx) => {
      begin(ctx, 'caught');
      await takeTime(20);
      throw new Error('caught fails');
    },
    { retry: { attempts: 2, backoff: 50 }, catch: (error) => ({ log: `caught ${error.code}` }) },
  )
  .node('saga', async (ctx) => {
    begin(ctx, 'saga');
    const steps = [await work(ctx, { node: 'saga', name: 'book', fails: 1, tries: 4 })];
    try {
      steps.push(await work(ctx, { node: 'saga', name: 'charge', fails: ctx.state.v % 2 === 0 ? 9 : 1, tries: 2 }));
    } catch {
      steps.push(await work(ctx, { node: 'saga', name: 'undo' }));
    }
    await ctx.sleep('rest', 50);
    return { log: steps };
  })
  .node('mended', async (ctx) => {
    begin(ctx, 'mended');
    const kept = await work(ctx, { node: 'mended', name: 'kept' });
    if (!scene().mended.has(ctx.runId)) throw new Error('not mended yet');
    return { log: kept };
  })
  .node('beside', async (ctx) => {
    begin(ctx, 'beside');
    await takeTime(40);
    return { log: 'beside' };
  })
  .edge('start', ['tries', 'caught'])
  .edge(['tries', 'caught'], 'saga')
  .route('saga', ['mended', 'beside', 'end'], (state) => (state.v < 3 ? ['mended', 'beside'] : 'end'))
  .edge('mended', 'end')
  .edge('beside', 'end')
  .compile();
