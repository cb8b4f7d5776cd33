import { channel } from '../../src/channel/channel.ts';
import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { begin, scene, work } from './scene.ts';
import { anything } from './workload.ts';

/** Receives messages. */
export const mailbox = workflow(
  'mailbox',
  { input: anything<{ readonly v: number }>(), receives: { mail: anything<string>() } },
  async ({ v }, ctx) => {
    begin(ctx, 'main');
    const steps = ['x', 'y'];
    // The order of the calls is nobody's business: only their names count.
    if (scene().world.chance(0.5)) steps.reverse();
    const pairs = await Promise.all(
      steps.map(async (name) => [name, await work(ctx, { node: 'main', name, value: `${name}!` })]),
    );
    const got = Object.fromEntries(pairs) as Record<string, string>;
    const first = await Promise.race(['m', 'n'].map((name) => work(ctx, { node: 'main', name })));
    await work(ctx, { node: 'main', name: `chose ${first}` });
    const mails: string[] = [];
    for (let count = 0; count < 2 + (v % 2); count += 1) {
      mails.push(await ctx.receive('mail'));
      await work(ctx, { node: 'main', name: 'read' });
    }
    await ctx.sleep('nap', 120);
    return { x: got['x'], y: got['y'], mails, none: (await ctx.receive('mail', { timeout: 80 })) ?? 'no more' };
  },
);

/** Takes turns. */
export const chat = graph('chat', {
  state: { say: anything<string>(), rounds: channel<number>(), log: list<string>() },
})
  .node('hear', (ctx) => {
    begin(ctx, 'hear');
    return { rounds: 0, log: `heard ${ctx.state.say}` };
  })
  .node('think', async (ctx) => {
    begin(ctx, 'think');
    const thought = await work(ctx, { node: 'think', name: 'think' });
    return { rounds: (ctx.state.rounds ?? 0) + 1, log: `${thought} ${ctx.state.rounds}` };
  })
  .edge('start', 'hear')
  .edge('hear', 'think')
  .route('think', ['think', 'end'], (state) => ((state.rounds ?? 0) < state.say.length ? 'think' : 'end'))
  .compile();
