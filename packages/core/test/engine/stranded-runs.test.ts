import { graph, list, type StrandedRun } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deployed } from './deployed.ts';
import { all, describeEverywhere, memoryPlace } from './every-place.ts';

const ok = { show: z.string(), answer: z.boolean() };

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

describe('a run that cannot be migrated', () => {
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
