import { channel, graph, list } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, memoryPlace } from './every-place.ts';

const ok = { show: z.string(), answer: z.boolean() };

function first() {
  return graph('flow', { state: { log: list<string>(), amount: channel<number>() }, asks: { approve: ok } })
    .node('begin', () => ({ log: 'begin', amount: 5 }))
    .node('decide', async ({ ask }) => ({ log: `said ${await ask('approve', 'q')}` }))
    .edge('start', 'begin')
    .edge('begin', 'decide')
    .edge('decide', 'end')
    .compile();
}

describeEverywhere('a run under changed code', (place) => {
  test('is refused with what is missing, untouched, and continues where it is there', async () => {
    const old = first();
    const here = place();
    const before = await here.open();
    await (await before.start(old, {}, { id: 'r' })).outcome();
    await before.close();
    const changed = graph('flow', { state: { log: list<string>(), amount: channel<number>() } })
      .node('begin', () => ({ log: 'begin' }))
      .node('other', () => ({ log: 'other' }))
      .edge('start', 'begin')
      .edge('begin', 'other')
      .edge('other', 'end')
      .compile();
    const after = await here.open({ graphs: [changed] });
    expect(await after.check()).toEqual([
      {
        runId: 'r',
        graph: 'flow',
        version: 1,
        missing: ['node decide', 'question approve'],
        parentId: null,
        refusals: [],
      },
    ]);
    const run = await after.get('r');
    await run.resume();
    await expect(run.outcome()).rejects.toMatchObject({
      code: 'HOLDFAST_VERSION',
      details: { missing: ['node decide', 'question approve'] },
    });
    await after.close();
    const again = await here.open({ graphs: [old] });
    const back = await again.get(old, 'r');
    await back.answer('approve', true);
    expect(await back.outcome()).toMatchObject({ status: 'completed', state: { log: ['begin', 'said true'] } });
  });

  test('is migrated at a step boundary: state, nodes and questions', async () => {
    const here = place();
    const before = await here.open();
    await (await before.start(first(), {}, { id: 'r' })).outcome();
    await before.close();
    const next = graph('flow', {
      state: { log: list<string>(), cents: channel<number>() },
      asks: { consent: ok },
      version: 2,
      migrate: {
        1: {
          state: ({ amount, ...rest }) => ({ ...rest, cents: (amount as number) * 100 }),
          nodes: { decide: 'judge' },
          asks: { approve: 'consent' },
        },
      },
    })
      .node('begin', () => ({ log: 'begin', cents: 500 }))
      .node('judge', async ({ ask, state }) => ({ log: `${state.cents} ${await ask('consent', 'q')}` }))
      .edge('start', 'begin')
      .edge('begin', 'judge')
      .edge('judge', 'end')
      .compile();
    const after = await here.open({ graphs: [next] });
    expect(await after.check()).toEqual([]);
    const run = await after.get(next, 'r');
    await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'consent', node: 'judge' }] });
    await run.answer('consent', true);
    expect(await run.outcome()).toMatchObject({
      status: 'completed',
      state: { log: ['begin', '500 true'], cents: 500 },
    });
  });
});

function receiving(version: number) {
  return graph('flow', { state: { log: list<string>() }, receives: { go: z.number() }, version })
    .node('a', async ({ receive }) => ({ log: `v${version} ${await receive('go')}` }))
    .edge('start', 'a')
    .edge('a', 'end')
    .compile();
}

describe('versions side by side', () => {
  test('each run keeps to its own', async () => {
    const here = memoryPlace();
    const engine = await here.open();
    const one = await engine.start(receiving(1), {}, { id: 'one' });
    const two = await engine.start(receiving(2), {}, { id: 'two' });
    await one.outcome();
    await two.outcome();
    await one.send('go', 1);
    await two.send('go', 2);
    expect(await one.outcome()).toMatchObject({ state: { log: ['v1 1'] } });
    expect(await two.outcome()).toMatchObject({ state: { log: ['v2 2'] } });
  });

  test('a run of an older version without a migration is named by check and left as it is', async () => {
    const here = memoryPlace();
    const before = await here.open();
    await (await before.start(receiving(1), {}, { id: 'one' })).outcome();
    await before.close();
    const after = await here.open({ graphs: [receiving(2)] });
    const missing = ['migration of version 1'];
    expect(await after.check()).toEqual([
      { runId: 'one', graph: 'flow', version: 1, parentId: null, missing, refusals: [] },
    ]);
    const run = await after.get('one');
    await run.send('go', 1);
    await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_VERSION', details: { missing } });
    await after.close();
    const again = await here.open({ graphs: [receiving(1), receiving(2)] });
    expect(await again.check()).toEqual([]);
  });
});
