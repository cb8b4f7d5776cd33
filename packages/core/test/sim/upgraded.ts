import { channel } from '../../src/channel/channel.ts';
import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { begin, scene, takeTime, type WorkContext, work } from './scene.ts';
import { anything, type Shown } from './workload.ts';

const question = { show: anything<Shown>(), answer: anything<string>() };

/** The same text by both names of the question. */
const show = (v: number): Shown => ({ who: `upgraded ${v}`, says: 'agreed' });

/**
 * Two branches, of which one may have finished, or have arrived where they join, when the code is replaced; a question, a
 * message and nodes that are renamed.
 */
export const upgradedOld = graph('upgraded', {
  state: { v: anything<number>(), log: list<string>() },
  asks: { approve: question },
  receives: { go: anything<string>() },
})
  .node('left', (ctx) => left(ctx, { node: 'left', version: 1 }))
  .node('right', (ctx) => right(ctx, 1))
  .node('further', (ctx) => further(ctx, 1))
  .node('judge', async (ctx) => {
    begin(ctx, 'judge', 1);
    return { log: await ctx.ask('approve', show(ctx.state.v)) };
  })
  .node('rests', async (ctx) => {
    begin(ctx, 'rests', 1);
    return { log: await ctx.receive('go') };
  })
  .node('last', async (ctx) => {
    begin(ctx, 'last', 1);
    return { log: await work(ctx, { node: 'last', name: 'close', once: true }) };
  })
  .edge('start', ['left', 'right'])
  .edge('right', 'further')
  .edge(['left', 'further'], 'judge')
  .edge('judge', 'rests')
  .edge('rests', 'last')
  .edge('last', 'end')
  .compile();

export const upgradedNew = graph('upgraded', {
  state: { v: anything<number>(), log: list<string>(), format: channel<number>() },
  asks: { consent: question },
  receives: { proceed: anything<string>() },
  version: 2,
  migrate: {
    1: {
      state: (old) => ({ ...old, format: 2 }),
      nodes: { left: 'port', last: 'final' },
      asks: { approve: 'consent' },
      steps: { go: 'proceed' },
    },
  },
})
  .node('port', (ctx) => left(ctx, { node: 'port', version: 2 }))
  .node('right', (ctx) => right(ctx, 2))
  .node('further', (ctx) => further(ctx, 2))
  .node('judge', async (ctx) => {
    begin(ctx, 'judge', 2);
    isMigrated(ctx);
    return { log: await ctx.ask('consent', show(ctx.state.v)) };
  })
  .node('rests', async (ctx) => {
    begin(ctx, 'rests', 2);
    isMigrated(ctx);
    return { log: await ctx.receive('proceed') };
  })
  .node('final', async (ctx) => {
    begin(ctx, 'final', 2);
    isMigrated(ctx);
    return { log: await work(ctx, { node: 'final', name: 'close', once: true }) };
  })
  .edge('start', ['port', 'right'])
  .edge('right', 'further')
  .edge(['port', 'further'], 'judge')
  .edge('judge', 'rests')
  .edge('rests', 'final')
  .edge('final', 'end')
  .compile();

async function left(
  ctx: WorkContext,
  { node, version }: { readonly node: string; readonly version: number },
): Promise<{ readonly log: string }> {
  begin(ctx, node, version);
  return { log: await work(ctx, { node, name: 'first' }) };
}

async function further(ctx: WorkContext, version: number): Promise<{ readonly log: string }> {
  begin(ctx, 'further', version);
  return { log: await work(ctx, { node: 'further', name: 'third' }) };
}

async function right(ctx: WorkContext, version: number): Promise<{ readonly log: string }> {
  begin(ctx, 'right', version);
  await takeTime(60);
  return { log: `right ${await work(ctx, { node: 'right', name: 'second' })}` };
}

/** The new code never sees a state that was not migrated. */
function isMigrated({
  runId,
  state,
}: WorkContext & { readonly state: { readonly format?: number | undefined } }): void {
  if (state.format !== 2) scene().ledger.violations.push(`${runId} is executed by new code on its old state`);
}
