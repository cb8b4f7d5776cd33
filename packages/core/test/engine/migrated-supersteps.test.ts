import { channel, graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { keyOfCall } from '../../src/runner/fold/call/call-key.ts';
import { deployed } from './deployed.ts';
import { all, describeEverywhere, describeShared } from './every-place.ts';

const ok = { show: z.string(), answer: z.boolean() };

const eachOf = (version: number, items: readonly number[]) =>
  graph('flow', {
    state: { log: list<string>() },
    asks: { ok },
    version,
    ...(version > 1 && { migrate: { 1: {} } }),
  })
    .each(
      'item',
      () => items,
      async (item, { ask }) => ({ log: `${item} ${await ask('ok', 'q')}` }),
    )
    .edge('start', 'item')
    .edge('item', 'end')
    .compile();

const planned = (version: number) =>
  graph('flow', {
    state: { of: channel<readonly number[]>() },
    asks: { ok },
    version,
    ...(version > 1 && { migrate: { 1: () => ({}) } }),
  })
    .each(
      'item',
      ({ of }) => (of as readonly number[]).map((each) => each),
      async (_, { ask }) => void (await ask('ok', 'q')),
    )
    .edge('start', 'item')
    .edge('item', 'end')
    .compile();

const twoNodes = (version: number, names: readonly string[], migrate: object) =>
  graph('flow', {
    state: { log: list<string>() },
    asks: Object.fromEntries(['one', 'two', 'both'].map((name) => [name, ok])),
    version,
    ...(version > 1 && { migrate: { 1: migrate } }),
  })
    .node(names[0] as 'a', async ({ ask }) => void (await Promise.all([ask('one', 'q'), ask('two', 'q')])))
    .node(names[1] as 'b', async ({ ask }) => void (await ask('one', 'q')))
    .edge('start', [names[0] as 'a', names[1] as 'b'])
    .edge(['a', 'b'] as never, 'end')
    .compile();

const twice = (version: number, from?: number) =>
  graph('flow', { state: { log: list<string>() }, asks: { ok }, version, ...(from && { migrate: { [from]: {} } }) })
    .node('a', async ({ ask }) => ({ log: `v${version} ${await ask('ok', 'q')}` }))
    .node('b', async ({ ask }) => ({ log: `v${version} ${await ask('ok', 'q')}` }))
    .edge('start', 'a')
    .edge('a', 'b')
    .edge('b', 'end')
    .compile();

describeEverywhere('the open super-step of a migrated run', (place) => {
  test('keeps answers and effects: nothing is asked or done twice', async () => {
    const done: string[] = [];
    const flow = (version: number, node: string, question: string) =>
      graph('flow', {
        state: { log: list<string>() },
        asks: { [question]: ok, last: ok },
        version,
        ...(version > 1 && { migrate: { 1: { nodes: { pay: node }, asks: { may: question } } } }),
      })
        .node(node, async ({ ask, step }) => {
          const may = await ask(question, 'q');
          const key = await step('charge', async ({ key: mine }) => {
            done.push(mine);
            return mine;
          });
          const last = await ask('last', key);
          const again = await step('book', async ({ key: mine }) => mine);
          return { log: [`${may} ${last}`, key, again] };
        })
        .edge('start', node)
        .edge(node, 'end')
        .compile();
    const here = place();
    const before = await here.open();
    const asked = await before.start(flow(1, 'pay', 'may'), {}, { id: 'r' });
    await asked.outcome();
    await asked.answer('may' as never, true);
    await asked.outcome();
    await before.close();
    const second = flow(2, 'charge', 'allowed');
    const engine = await here.open({ graphs: [second] });
    const run = await engine.get(second, 'r');
    await run.answer('last' as never, false);
    const { log } = (await run.result()) as { log: string[] };
    expect(log[0]).toBe('true false');
    expect(done).toEqual([log[1]]);
    // A later call has the key that it would have had under the old name: it may have begun there.
    expect(log[2]).toBe(keyOfCall('r', 0, { type: 'step', node: 'pay', name: 'book' }));
  });

  test('keeps the child of a renamed node', async () => {
    const inner = graph('inner', { state: { log: list<string>() }, asks: { ok } })
      .node('a', async ({ ask }) => ({ log: `inner ${await ask('ok', 'q')}` }))
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const outer = (version: number, node: string) =>
      graph('flow', {
        state: { log: list<string>() },
        version,
        ...(version > 1 && { migrate: { 1: { nodes: { sub: node } } } }),
      })
        .graph(node, inner, { in: () => ({}), out: ({ log }) => ({ log: [...log] }) })
        .edge('start', node)
        .edge(node, 'end')
        .compile();
    const second = outer(2, 'part');
    const engine = await deployed(place(), outer(1, 'sub'), [second]);
    const [question] = await all(engine.asks());
    const child = await engine.get(inner, question?.runId ?? '');
    await child.answer('ok', true);
    await child.result();
    expect(await (await engine.get(second, 'r')).result()).toEqual({ log: ['inner true'] });
    expect(await all(engine.runs({ parentId: 'r' }))).toHaveLength(1);
  });

  test('is not migrated to another number of items', async () => {
    const engine = await deployed(place(), eachOf(1, [1, 2]), [eachOf(2, [1, 2, 3])]);
    expect(await engine.check()).toMatchObject([{ missing: ['2 items of node item'] }]);
    await engine.close();
  });

  test('is not continued by a node of another kind', async () => {
    const each = graph('flow', { state: { log: list<string>() }, asks: { ok } })
      .each(
        'item',
        () => [1],
        async (item, { ask }) => ({ log: `${item} ${await ask('ok', 'q')}` }),
      )
      .edge('start', 'item')
      .edge('item', 'end')
      .compile();
    const plain = graph('flow', { state: { log: list<string>() }, asks: { ok } })
      .node('item', async ({ ask }) => ({ log: `${await ask('ok', 'q')}` }))
      .edge('start', 'item')
      .edge('item', 'end')
      .compile();
    const engine = await deployed(place(), each, [plain]);
    expect(await engine.check()).toMatchObject([{ missing: ['task item/0'] }]);
  });

  test('is not migrated by code that cannot plan it', async () => {
    const here = place();
    const before = await here.open();
    await (await before.start(planned(1), { of: [1] }, { id: 'r' })).outcome();
    await before.close();
    const engine = await here.open({ graphs: [planned(2)] });
    expect(await engine.check()).toMatchObject([{ missing: [expect.stringContaining('working plan')] }]);
  });

  test('is not migrated if two of its nodes or questions would get the same name', async () => {
    const here = place();
    const engine = await deployed(here, twoNodes(1, ['a', 'b'], {}), [twoNodes(2, ['a', 'b'], { nodes: { a: 'b' } })]);
    expect(await engine.check()).toMatchObject([{ missing: ['different names for nodes a and b'] }]);
    expect(await engine.check([twoNodes(2, ['a', 'b'], { asks: { one: 'two' } })])).toMatchObject([
      { missing: ['different names for questions one#0 and two#0'] },
    ]);
  });
});

describeShared('a migrated run', (place) => {
  test('keeps to its version where the old one is still there, and is claimed by builds without old migrations', async () => {
    const here = place();
    const engine = await deployed(here, twice(1), [twice(2, 1)]);
    const run = await engine.get(twice(2, 1), 'r');
    await run.answer('ok', true);
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    await engine.close();
    const both = await here.open({ graphs: [twice(1), twice(2, 1)] });
    expect(await both.check()).toEqual([]);
    expect(await (await both.get('r')).outcome()).toMatchObject({ state: { log: ['v2 true'] } });
    await both.close();
    const client = await here.open({ executes: false, graphs: [twice(1), twice(2)] });
    await (await client.get('r')).answer('ok', false);
    // It was created under version 1, but there is nothing to migrate from that any more.
    const third = await here.open({ graphs: [twice(3, 2)] });
    expect(await third.check()).toEqual([]);
    expect(await third.recover()).toBe(1);
    expect(await (await third.get('r')).result()).toEqual({ log: ['v2 true', 'v3 false'] });
  });
});
