import { channel } from '../../src/channel/channel.ts';
import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { calledOff, dependent } from './called-off.ts';
import { flaky } from './flaky.ts';
import { forked } from './forked.ts';
import { chat, mailbox } from './inboxes.ts';
import { loser, lostRace, pausing, tooLate } from './loose-ends.ts';
import { nap, naps } from './naps.ts';
import { begin, takeTime, work } from './scene.ts';
import { later, secondTry } from './second-try.ts';
import { upgradedOld } from './upgraded.ts';
import { anything, nobody, type Shown, type Workload } from './workload.ts';

const question = { show: anything<Shown>(), answer: anything<string>() };

const fanOut = graph('fan-out', {
  state: { v: anything<number>(), log: list<string>(), items: channel<readonly string[]>() },
})
  .node('left', async (ctx) => {
    begin(ctx, 'left');
    const first = await work(ctx, { node: 'left', name: 'one' });
    return { log: `left ${first} ${await work(ctx, { node: 'left', name: 'two' })}` };
  })
  .node('middle', async (ctx) => {
    begin(ctx, 'middle');
    await takeTime(60);
    return { log: ['middle'] };
  })
  .node('right', async (ctx) => {
    begin(ctx, 'right');
    const steps = ['a', 'b', 'c'].map((name) => work(ctx, { node: 'right', name }));
    return { log: `right ${(await Promise.all(steps)).join()}` };
  })
  .node('merge', (ctx) => {
    begin(ctx, 'merge');
    const items = Array.from({ length: ctx.state.v % 4 }, (_, at) => `item ${at}`);
    return { items, log: 'merged' };
  })
  .each(
    'item',
    (state) => state.items ?? [],
    async (item, ctx) => {
      begin(ctx, 'item');
      return { log: await work(ctx, { node: 'item', name: 'do', value: item }) };
    },
    { concurrency: 2 },
  )
  .node('tail', (ctx) => {
    begin(ctx, 'tail');
    return { log: `tail after ${ctx.state.log.length}` };
  })
  .edge('start', ['left', 'middle', 'right'])
  .edge(['left', 'middle', 'right'], 'merge')
  .route('merge', ['item', 'tail'], (state) => (state.v < 4 ? ['item', 'tail'] : 'item'))
  .edge('item', 'end')
  .edge('tail', 'end')
  .compile();

const approval = graph('approval', {
  state: { v: anything<number>(), log: list<string>() },
  asks: { approve: question, early: question, late: question },
})
  .node('legal', async (ctx) => {
    begin(ctx, 'legal');
    const draft = await work(ctx, { node: 'legal', name: 'draft' });
    return { log: `legal ${draft}: ${await ctx.ask('approve', { who: `legal ${ctx.state.v}` })}` };
  })
  .node('money', async (ctx) => {
    begin(ctx, 'money');
    return { log: `money: ${await ctx.ask('approve', { who: `money ${ctx.state.v}` })}` };
  })
  .node('pay', async (ctx) => {
    begin(ctx, 'pay');
    // Longer than any clock can tell.
    const early = await ctx.ask('early', { who: 'pay' }, { timeout: Number.MAX_SAFE_INTEGER });
    const paid = await work(ctx, { node: 'pay', name: 'pay', once: true, fails: ctx.state.v % 2, tries: 3 });
    await ctx.sleep('settle', 100 + 100 * (ctx.state.v % 3));
    return { log: [early ?? 'for ever is over', paid, await work(ctx, { node: 'pay', name: 'receipt', once: true })] };
  })
  .node('close', async (ctx) => {
    begin(ctx, 'close');
    const late = await ctx.ask('late', nobody, { timeout: 300 });
    return { log: late ?? 'nobody answered' };
  })
  .edge('start', ['legal', 'money'])
  .edge(['legal', 'money'], 'pay')
  .edge('pay', 'close')
  .edge('close', 'end')
  .compile();

const small = graph('small', {
  state: { v: anything<number>(), log: list<string>() },
  asks: { approve: question },
})
  .node('first', async (ctx) => {
    begin(ctx, 'first');
    return { log: await work(ctx, { node: 'first', name: 'first', value: `first ${ctx.state.v}` }) };
  })
  .node('asks', async (ctx) => {
    begin(ctx, 'asks');
    return { log: await ctx.ask('approve', { who: `small ${ctx.state.v}` }) };
  })
  .edge('start', 'first')
  .route('first', ['asks', 'end'], (state) => (state.v % 2 === 0 ? 'asks' : 'end'))
  .edge('asks', 'end')
  .compile();

const family = graph('family', {
  state: { v: anything<number>(), log: list<string>(), text: channel<string>() },
})
  .graph('inner', small, {
    in: (state) => ({ v: state.v }),
    out: (inner) => ({ log: inner.log.map((line) => `inner ${line}`) }),
  })
  .each(
    'aside',
    (state) => [state.v, state.v + 1].slice(0, 1 + (state.v % 2)),
    async (v, ctx) => {
      begin(ctx, 'aside');
      const before = await work(ctx, { node: 'aside', name: 'before' });
      const child = await ctx.child('small', small, { v });
      return { log: `${before} ${child.log.length} ${await work(ctx, { node: 'aside', name: 'after' })}` };
    },
  )
  .node('sum', (ctx) => {
    begin(ctx, 'sum');
    return { text: ctx.state.log.join(';') };
  })
  .edge('start', ['inner', 'aside'])
  .edge(['inner', 'aside'], 'sum')
  .edge('sum', 'end')
  .compile();

/** What the simulations do. */
export const workloads: readonly Workload[] = [
  { name: 'fan-out', graph: fanOut, variants: 8, input: (v) => ({ v }) },
  { name: 'approval', graph: approval, variants: 6, input: (v) => ({ v }), early: 'early' },
  { name: 'family', graph: family, variants: 4, input: (v) => ({ v }) },
  { name: 'flaky', graph: flaky, variants: 6, input: (v) => ({ v }), isMended: true },
  {
    name: 'mailbox',
    graph: mailbox,
    variants: 2,
    input: (v) => ({ v }),
    messages: (v) => Array.from({ length: 2 + (v % 2) }, (_, at) => ({ name: 'mail', value: `mail ${at}` })),
  },
  {
    name: 'chat',
    graph: chat,
    variants: 3,
    input: () => ({ say: 'hi' }),
    turns: (v) => ['bye', 'so', 'ok'].slice(0, v + 1).map((say) => ({ say })),
  },
  {
    name: 'second-try',
    graph: secondTry,
    variants: 4,
    input: (v) => ({ v }),
    messages: (v) => (v === 0 ? [{ name: 'mail', value: 'mail' }] : []),
  },
  {
    name: 'too-late',
    graph: tooLate,
    variants: 2,
    input: (v) => ({ v }),
    late: 'approve',
    messages: () => [{ name: 'go', value: 'go' }],
  },
  { name: 'lost-race', graph: lostRace, variants: 4, input: (v) => ({ v }) },
  {
    name: 'pausing',
    graph: pausing,
    variants: 2,
    input: (v) => ({ v }),
    pauseBefore: ['second'],
    forkSet: (v) => (v === 0 ? undefined : { extra: 'edited' }),
  },
  { name: 'naps', graph: naps, variants: 3, input: (v) => ({ v }) },
  {
    name: 'forked',
    graph: forked,
    variants: 3,
    input: (v) => ({ v }),
    forks: (v) => [
      { resume: true },
      { resume: v === 1, ...(v === 1 ? { before: 'asks' } : { set: { extra: 'edited' } }) },
    ],
  },
  {
    name: 'called-off',
    graph: calledOff,
    variants: 3,
    input: (v) => ({ v }),
    cancel: (v) => (v === 0 ? dependent.name : undefined),
    endsAs: (outcome) => {
      const { v } = outcome.state as { readonly v: number };
      return v === 0 ? outcome : { status: outcome.status, reason: 'reason' in outcome ? outcome.reason : undefined };
    },
  },
  {
    name: 'upgraded',
    graph: upgradedOld,
    variants: 4,
    input: (v) => ({ v }),
    messages: () => [{ name: 'go', value: 'go' }],
    // Either code may have executed it.
    endsAs: ({ status, state }) => ({ status, log: (state as { readonly log: unknown }).log }),
  },
];

/** The code of a process. */
export type CodeOfWorkers = readonly Workload['graph'][];

/** All code that is never changed. */
export const codeThatStays: CodeOfWorkers = [
  fanOut,
  approval,
  small,
  family,
  flaky,
  mailbox,
  chat,
  secondTry,
  later,
  tooLate,
  lostRace,
  loser,
  pausing,
  nap,
  naps,
  forked,
  calledOff,
  dependent,
];
