import { graph, list } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deployed, headOf } from './deployed.ts';
import { all, describeEverywhere, memoryPlace } from './every-place.ts';

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
