// A checkpoint in the middle of a super-step needs what the super-step has done: pruning keeps the records before it.
import { graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere } from './every-place.ts';

const ok = { show: z.string(), answer: z.boolean() };

/** Charges once, and asks twice. */
function paying(version: number, charged: string[]) {
  return graph('paying', {
    state: { log: list<string>() },
    asks: { a: ok, b: ok },
    version,
    ...(version > 1 && { migrate: { 1: {} } }),
  })
    .node('before', () => ({ log: 'before' }))
    .node('pay', async ({ ask, step }) => {
      const key = await step(
        'charge',
        async ({ key: mine }) => {
          charged.push(mine);
          return 'charged';
        },
        { effect: 'once' },
      );
      return { log: `${key} ${await ask('a', 'q')} ${await ask('b', 'q')}` };
    })
    .edge('start', 'before')
    .edge('before', 'pay')
    .edge('pay', 'end')
    .compile();
}

describeEverywhere('pruning in the middle of a super-step', (place) => {
  test('keeps what it has done before the run was migrated', async () => {
    const charged: string[] = [];
    const here = place();
    const before = await here.open();
    await (await before.start(paying(1, charged), {}, { id: 'r' })).outcome();
    await before.close();
    const second = paying(2, charged);
    const engine = await here.open({ graphs: [second] });
    const run = await engine.get(second, 'r');
    await run.answer('a', true);
    await run.outcome();
    const report = await engine.prune({ runId: 'r', keep: 1 });
    expect(report).toMatchObject({ pruned: 1, retained: 2 });
    expect(await run.history().toArray()).toHaveLength(2);
    expect(await engine.prune({ runId: 'r', keep: 1 })).toMatchObject({ pruned: 0, retained: 2 });
    await engine.close();
    const again = await here.open({ graphs: [second] });
    const there = await again.get(second, 'r');
    await there.answer('b', true);
    expect(await there.result()).toEqual({ log: ['before', 'charged true true'] });
    expect(charged).toHaveLength(1);
    expect((await again.prune({ runId: 'r', keep: 1 })).pruned).toBeGreaterThan(0);
    expect((await there.state()).log).toEqual(['before', 'charged true true']);
  });

  test('keeps what a fork shares of it', async () => {
    const charged: string[] = [];
    const engine = await place().open();
    const base = await engine.start(paying(1, charged), {}, { id: 'r' });
    await base.outcome();
    const fork = await base.fork({ id: 'f' });
    await engine.prune({ keep: 1 });
    const resumed = await fork.resume();
    await resumed.outcome();
    await resumed.answer('a', true);
    await resumed.outcome();
    await resumed.answer('b', true);
    expect(await resumed.result()).toEqual({ log: ['before', 'charged true true'] });
    expect(charged).toHaveLength(1);
  });
});
