import { type AnyGraph, channel, type Engine, type Graph, graph, list, type Shape, type StrandedRun } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keyOfCall } from '../../src/runner/fold/call/call-key.ts';
import { all, describeEverywhere, describeShared, memoryPlace, type Place } from './every-place.ts';

const ok = { show: z.string(), answer: z.boolean() };

function three(version: number, node: string) {
  return graph('flow', {
    state: { log: list<string>() },
    asks: { ok },
    version,
    ...(version > 1 && { migrate: { 1: { nodes: { b: node } } } }),
  })
    .node('a', async ({ ask }) => ({ log: `a ${await ask('ok', 'q')}` }))
    .node(node, () => ({ log: 'b' }))
    .node('c', () => ({ log: 'c' }))
    .edge('start', 'a')
    .edge('a', node)
    .edge(node, 'c')
    .edge('c', 'end')
    .compile();
}

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

const withTurns = (version: number) =>
  graph('flow', {
    state: version === 1 ? { log: list<string>(), extra: list<string>() } : { log: list<string>() },
    asks: { ok },
    version,
    ...(version > 1 && { migrate: { 1: ({ log }) => ({ log }) } }),
  })
    .node('a', async ({ ask }) => ({ log: `${await ask('ok', 'q')}` }))
    .edge('start', 'a')
    .edge('a', 'end')
    .compile();

/** A run whose graph is not there. */
function lost({ runId, graph: name, parentId }: Pick<StrandedRun, 'runId' | 'graph' | 'parentId'>): StrandedRun {
  return { runId, graph: name, version: 1, parentId, missing: [`graph ${name}`], refusals: [] };
}

const byId = (runs: readonly StrandedRun[]): readonly StrandedRun[] =>
  runs.toSorted((one, other) => (one.runId < other.runId ? -1 : 1));

/** Starts a run under the first graph, and opens the store with others once it waits. */
async function deployed(
  here: Place,
  first: Graph<Shape>,
  graphs: readonly AnyGraph[],
  options: { readonly pauseBefore?: readonly string[]; readonly pauseAfter?: readonly string[] } = {},
): Promise<Engine> {
  const before = await here.open();
  await (await before.start(first, {}, { id: 'r', ...options })).outcome();
  await before.close();
  return here.open({ graphs: [...graphs] });
}

/** What is in the journal, so that a test can say that nothing was written. */
async function headOf(engine: Engine): Promise<number> {
  return (await (await engine.get('r')).summary()).head;
}

/** One branch is done at once, the other waits for a message. */
function branches(version: number, names: { readonly fast: string; readonly slow: string }) {
  return graph('flow', {
    state: { log: list<string>() },
    receives: { go: z.number() },
    version,
    ...(version > 1 && { migrate: { 1: { nodes: { fast: names.fast, slow: names.slow } } } }),
  })
    .node(names.fast, () => ({ log: `fast v${version}` }))
    .node(names.slow, async ({ receive }) => ({ log: `slow v${version} ${await receive('go')}` }))
    .edge('start', [names.fast, names.slow])
    .edge([names.fast, names.slow], 'end')
    .compile();
}

describeEverywhere('a migration while a task of the open super-step is done', (place) => {
  const first = branches(1, { fast: 'fast', slow: 'slow' });
  const second = branches(2, { fast: 'quick', slow: 'lazy' });

  test('waits for the old code: the run is untouched, and says why', async () => {
    const here = place();
    const engine = await deployed(here, first, [second]);
    const missing = [expect.stringMatching(/^code of version 1, .*\(fast already done\)$/)];
    expect(await engine.check()).toMatchObject([{ runId: 'r', graph: 'flow', version: 1, missing }]);
    const run = await engine.get('r');
    await run.send('go', 1);
    const head = await headOf(engine);
    await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_VERSION', details: { missing } });
    expect(await headOf(engine)).toBe(head);
    expect((await all(engine.runs()))[0]?.refusals).toMatchObject([
      { code: 'HOLDFAST_VERSION', message: expect.stringContaining('Deploy version 1 next to version 2') },
    ]);
    await engine.close();
    const both = await here.open({ graphs: [first, second] });
    expect(await both.check()).toEqual([]);
    expect(await both.recover()).toBe(1);
    expect(await (await both.get('r')).result()).toEqual({ log: ['fast v1', 'slow v1 1'] });
  });
});

/** `left` arrives at the join first; `right` asks before it arrives. */
function joined(version: number, names: { readonly left: string; readonly right: string; readonly both: string }) {
  const { left, right, both } = names;
  return graph('flow', {
    state: { log: list<string>() },
    asks: { ok },
    version,
    ...(version > 1 && { migrate: { 1: { nodes: { left, right, both } } } }),
  })
    .node(left, () => ({ log: 'left' }))
    .node('before', () => ({ log: 'before' }))
    .node(right, async ({ ask }) => ({ log: `right ${await ask('ok', 'q')}` }))
    .node(both, () => ({ log: 'both' }))
    .edge('start', [left, 'before'])
    .edge('before', right)
    .edge([left, right], both)
    .edge(both, 'end')
    .compile();
}

describeEverywhere('a migration in the middle of a join', (place) => {
  const first = joined(1, { left: 'left', right: 'right', both: 'both' });

  test('keeps which branches have arrived', async () => {
    const second = joined(2, { left: 'links', right: 'rechts', both: 'beide' });
    const engine = await deployed(place(), first, [second]);
    expect(await engine.check()).toEqual([]);
    const run = await engine.get(second, 'r');
    await run.answer('ok', true);
    expect(await run.result()).toEqual({ log: ['left', 'before', 'right true', 'both'] });
  });

  test('that removes the join is refused: nobody could say whether it has to fire', async () => {
    const second = graph('flow', { state: { log: list<string>() }, asks: { ok }, version: 2, migrate: { 1: {} } })
      .node('right', async ({ ask }) => ({ log: `right ${await ask('ok', 'q')}` }))
      .node('both', () => ({ log: 'both' }))
      .edge('start', 'right')
      .edge('right', 'both')
      .edge('both', 'end')
      .compile();
    const engine = await deployed(place(), first, [second]);
    const head = await headOf(engine);
    expect(await engine.check()).toMatchObject([{ missing: ['join left+right>both'] }]);
    const run = await engine.get('r');
    await run.resume();
    await expect(run.outcome()).rejects.toMatchObject({ details: { missing: ['join left+right>both'] } });
    // Only the resume was written.
    expect(await headOf(engine)).toBe(head + 1);
  });
});

function counting(
  version: number,
  state?: (old: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
) {
  return graph('flow', {
    state: { n: z.number().max(9) },
    receives: { go: z.number() },
    version,
    ...(state && { migrate: { 1: { state } } }),
  })
    .node('a', async ({ receive }) => ({ n: await receive('go') }))
    .edge('start', 'a')
    .edge('a', 'end')
    .compile();
}

describeEverywhere('a migration that does not work', (place) => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('no such rate');
      },
      'no such rate',
    ],
    ['gives a value that the schema refuses', () => ({ n: 10 }), '"n"'],
    ['gives an unknown channel', () => ({ m: 1 }), '"m"'],
    ['gives no object', () => 5 as never, 'as an object'],
    ['gives a promise', () => Promise.resolve({ n: 1 }) as never, 'as an object'],
  ])('that %s leaves the run as it is, again and again, with the reason', async (_, state, reason) => {
    const here = place();
    const before = await here.open();
    const run = await before.start(counting(1), { n: 1 }, { id: 'r' });
    await run.outcome();
    await run.send('go', 2);
    await run.result();
    await before.start(counting(1), { n: 1 }, { id: 's' }).then((waiting) => waiting.outcome());
    await before.close();
    const client = await here.open({ executes: false });
    await (await client.get('s')).send('go', 3);
    const { head } = await (await client.get('s')).summary();
    await client.close();
    // More often than the claims after which a run fails as a crash loop.
    for (let worker = 0; worker < 7; worker++) {
      const broken = await here.open({ graphs: [counting(2, state)], workerId: `w${worker}` });
      expect(await broken.recover()).toBe(1);
      const left = await broken.get('s');
      await expect(left.outcome()).rejects.toMatchObject({
        code: 'HOLDFAST_VERSION',
        message: expect.stringContaining(reason),
      });
      expect(await left.summary()).toMatchObject({ head, refusals: expect.any(Array) });
      expect((await left.summary()).refusals.at(-1)).toMatchObject({ worker: `w${worker}`, code: 'HOLDFAST_VERSION' });
      expect(await broken.check()).toMatchObject([
        { runId: 's', missing: [expect.stringContaining('working migration from version 1 to 2')] },
      ]);
      await broken.close();
    }
    const mended = await here.open({ graphs: [counting(2, (old) => old)] });
    expect(await mended.recover()).toBe(1);
    expect(await (await mended.get('s')).result()).toEqual({ n: 3 });
  });
});

describeEverywhere('a pause at a node that a migration renames', (place) => {
  test.each(['pauseBefore', 'pauseAfter'] as const)('%s pauses there all the same', async (when) => {
    const second = three(2, 'renamed');
    const engine = await deployed(place(), three(1, 'b'), [second], { [when]: ['b'] });
    const run = await engine.get(second, 'r');
    await run.answer('ok', true);
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'pause', node: 'renamed' }] });
    await run.resume();
    expect(await run.result()).toEqual({ log: ['a true', 'b', 'c'] });
  });

  test('keeps its name while the run is paused there', async () => {
    const second = three(2, 'renamed');
    const here = place();
    const before = await here.open();
    const paused = await before.start(three(1, 'b'), {}, { id: 'r', pauseBefore: ['b'] });
    await paused.outcome();
    await paused.answer('ok', true);
    await paused.outcome();
    await before.close();
    const engine = await here.open({ graphs: [second] });
    const run = await engine.get(second, 'r');
    await run.resume();
    expect(await run.result()).toEqual({ log: ['a true', 'b', 'c'] });
  });

  test('is not dropped when the node is gone: the run is refused', async () => {
    const without = graph('flow', { state: { log: list<string>() }, asks: { ok } })
      .node('a', async ({ ask }) => ({ log: `a ${await ask('ok', 'q')}` }))
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const engine = await deployed(place(), three(1, 'b'), [without], { pauseBefore: ['b'] });
    expect(await engine.check()).toMatchObject([{ missing: ['node b'] }]);
  });
});

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

describe('a run that cannot be migrated', () => {
  test('can be cancelled', async () => {
    const first = branches(1, { fast: 'fast', slow: 'slow' });
    const here = memoryPlace();
    const engine = await deployed(here, first, [branches(2, { fast: 'quick', slow: 'lazy' })]);
    const run = await engine.get('r');
    await run.cancel('no longer needed');
    expect(await run.outcome()).toMatchObject({ status: 'cancelled', reason: 'no longer needed' });
    expect(await engine.check()).toEqual([]);
  });

  test('waits for code that knows the channels of its queued turns', async () => {
    const here = memoryPlace();
    const before = await here.open();
    const run = await before.start(withTurns(1), {} as never, { id: 'r' });
    await run.outcome();
    await before.start(withTurns(1), { extra: 'more' } as never, { id: 'r', turn: 'second' });
    await before.close();
    const engine = await here.open({ graphs: [withTurns(2)] });
    expect(await engine.check()).toMatchObject([{ missing: ['channel extra'] }]);
  });
});

describeEverywhere('check()', (place) => {
  test('lists runs whose graph is not there at all, and children', async () => {
    const inner = graph('inner', { state: { log: list<string>() }, asks: { ok } })
      .node('a', async ({ ask }) => ({ log: `inner ${await ask('ok', 'q')}` }))
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const outer = graph('outer', { state: { log: list<string>() } })
      .node('a', async ({ child }) => void (await child('part', inner, {})))
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const engine = await deployed(place(), outer, []);
    const [child] = await all(engine.runs({ parentId: 'r' }));
    const part = lost({ runId: child?.id ?? '', graph: 'inner', parentId: 'r' });
    const parent = lost({ runId: 'r', graph: 'outer', parentId: null });
    expect(byId(await engine.check())).toEqual(byId([parent, part]));
    expect(await engine.check([outer])).toEqual([part]);
    expect(await engine.check([outer, inner])).toEqual([]);
    // What has ended needs no code.
    await (await engine.get('r')).cancel();
    expect(await engine.check()).toEqual([]);
  });
});
