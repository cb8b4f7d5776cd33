import { graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, type Place, turns } from './every-place.ts';

const none = z.object({});
const ok = { show: z.string(), answer: z.boolean() };

const inner = workflow('inner', { input: none, asks: { ok } }, (_, c) => c.ask('ok', 'q'));
const outer = graph('outer', { state: { log: list<string>() } })
  .node('a', async ({ child }) => ({ log: `${await child('part', inner, {})}` }))
  .edge('start', 'a')
  .edge('a', 'end')
  .compile();

/** A run that waits for its child, whose question is answered: both are left to a later build. */
async function left(here: Place, clock = virtualClock()): Promise<string> {
  const engine = await here.open({ clock });
  await (await engine.start(outer, {}, { id: 'r' })).outcome();
  const [question] = await all(engine.asks());
  await engine.close();
  const client = await here.open({ clock, executes: false });
  await (await client.get(question?.runId ?? '')).answer('ok', true);
  await client.close();
  return question?.runId ?? '';
}

function warnings(): () => readonly string[] {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  return () => warn.mock.calls.map(([message]) => String(message));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describeEverywhere('a run whose graph is not in the build', (place) => {
  test('is left out by recover(), which says so', async () => {
    const here = place();
    const child = await left(here);
    const said = warnings();
    const engine = await here.open({ graphs: [] });
    expect(await engine.recover()).toBe(0);
    expect(said().toSorted().toReversed()).toEqual([
      'This engine leaves out 1 unfinished run of graph "outer" (r), which it does not have. Pass the graph to openEngine({ graphs }), or start a worker that has it. check() lists every such run.',
      `This engine leaves out 1 unfinished run of graph "inner" (${child}), which it does not have. Pass the graph to openEngine({ graphs }), or start a worker that has it. check() lists every such run.`,
    ]);
    expect(await engine.check()).toHaveLength(2);
  });

  test('is named with others of its graph, and a build that has everything is told nothing', async () => {
    const here = place();
    const before = await here.open();
    for (const id of ['a', 'b', 'c', 'd']) await (await before.start(inner, {}, { id })).outcome();
    await before.journal.append('notes', { payload: 1 });
    await before.close();
    const said = warnings();
    const engine = await here.open();
    expect(await engine.recover()).toBe(0);
    expect(said()).toEqual([expect.stringContaining('4 unfinished runs of graph "inner" (a, b, c, …)')]);
    await engine.close();
    const whole = await here.open({ graphs: [inner] });
    await whole.recover();
    expect(said()).toHaveLength(1);
  });

  test.each(['outcome', 'result'] as const)('does not let %s() wait without a word: its child too', async (wait) => {
    const clock = virtualClock();
    const here = place();
    const child = await left(here, clock);
    const said = warnings();
    const engine = await here.open({ clock, graphs: [outer] });
    const stop = new AbortController();
    const waiting = Promise.allSettled([
      (await engine.get(outer, 'r'))[wait](stop),
      (await engine.get(outer, 'r'))[wait](stop),
    ]);
    while (said().length === 0) {
      await turns();
      await clock.advance('1s');
    }
    for (let second = 0; second < 5; second += 1) {
      await turns();
      await clock.advance('1s');
    }
    stop.abort();
    await waiting;
    expect(said()).toEqual([
      `Run "${child}" is due and nobody executes it. This engine does not have its graph "inner": pass it to openEngine({ graphs }), or start a worker that has it.`,
    ]);
    // With the graph it continues.
    await engine.close();
    const whole = await here.open({ clock, graphs: [outer, inner] });
    await whole.recover();
    expect(await (await whole.get('r')).result()).toEqual({ log: ['true'] });
  });
});
