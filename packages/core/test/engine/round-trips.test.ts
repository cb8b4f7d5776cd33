// Budgets: over a network every call of the driver is a round trip.
import { type AnyShape, type Graph, graph, list, type Store, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { gate, placeOn, storesOf } from './every-place.ts';
import { RoundTrips } from './round-trips.ts';

const none = z.object({});

/** A run of any graph, as far as its end is concerned. */
interface Ending {
  outcome(): Promise<unknown>;
}

/** An engine whose calls are counted, on a clock that stands still: nothing is asked just because time passes. */
async function setUp(store: Store) {
  const trips = new RoundTrips(store);
  const clock = virtualClock();
  const engine = await placeOn(trips.store).open({ clock });
  /** What the work asks for until the run has come to its end, or waits. */
  const cost = (run: Ending, work: () => Promise<unknown>): Promise<readonly string[]> =>
    trips.during(async () => {
      await work();
      await trips.look(() => run.outcome());
    });
  return { trips, clock, engine, cost };
}

/** What was asked, if it is more than the budget allows. */
function overBudget(asked: readonly string[], budget: number): readonly string[] {
  return asked.length <= budget ? [] : asked;
}

/** As many nodes one after the other; the first waits until it may. */
function chain(length: number, opened: Promise<void>): Graph<AnyShape> {
  let building = graph('chain', { state: { log: list<number>() } }).node('n0', async () => {
    await opened;
    return { log: 0 };
  });
  for (let at = 1; at < length; at += 1) building = building.node(`n${at}`, () => ({ log: at })) as never;
  const nodes = ['start', ...Array.from({ length }, (_, at) => `n${at}`), 'end'];
  for (let at = 1; at < nodes.length; at += 1) {
    building = building.edge(nodes[at - 1] as never, nodes[at] as never);
  }
  return building.compile();
}

describe.each(storesOf())('round trips on $name', ({ create }) => {
  test('a start takes 1', async () => {
    const { trips, engine } = await setUp(create());
    const may = gate();
    const asked = await trips.during(() => engine.start(chain(1, may.opened), {}));
    may.open();
    expect(overBudget(asked, 1)).toEqual([]);
  });

  test('a super-step takes 1', async () => {
    const costs: number[] = [];
    for (const length of [10, 30]) {
      const { engine, cost } = await setUp(create());
      const may = gate();
      const run = await engine.start(chain(length, may.opened), {});
      costs.push((await cost(run, async () => may.open())).length);
    }
    expect((costs[1] as number) - (costs[0] as number)).toBe(20);
  });

  test('an answer takes at most 3, until the run is executed again', async () => {
    const { trips, engine, cost } = await setUp(create());
    const may = gate();
    const asks = { ok: { show: z.string(), answer: z.boolean() } };
    const asking = workflow('asking', { input: none, asks }, async (_, context) => {
      const answer = await context.ask('ok', 'q');
      await may.opened;
      return answer;
    });
    const run = await engine.start(asking, {});
    await trips.look(() => run.outcome());
    const asked = await trips.during(() => run.answer('ok', true));
    expect(overBudget(asked, 3)).toEqual([]);
    // What follows is a super-step.
    expect(overBudget(await cost(run, async () => may.open()), 1)).toEqual([]);
    expect(await run.result()).toBe(true);
  });

  test('a message with an id takes one read and one write, and one read when it is repeated', async () => {
    const { trips, engine } = await setUp(create());
    const waiting = graph('waiting', { state: { got: list<number>() }, receives: { item: z.number(), go: z.number() } })
      .node('wait', async ({ receive }) => ({ got: await receive('go') }))
      .edge('start', 'wait')
      .edge('wait', 'end')
      .compile();
    const run = await engine.start(waiting, {});
    await trips.look(() => run.outcome());
    // Afterwards it looks whether the run can continue.
    const send = (name: 'go' | 'item', id: string): Promise<readonly string[]> =>
      trips.during(() => run.send(name, 1, { id }));
    // The run waits for another message, which may have had this name before a migration: it is read once.
    expect(await send('item', 'a')).toEqual(['load', 'load', 'commit', 'claim one']);
    expect(await send('item', 'b')).toEqual(['load', 'commit', 'claim one']);
    expect(await send('item', 'b')).toEqual(['load', 'claim one']);
  });

  test('a sleep takes at most 4, from lying down to the end of the run', async () => {
    const { trips, clock, engine } = await setUp(create());
    const may = gate();
    const sleeping = workflow('sleeping', { input: none }, async (_, { sleep }) => {
      await may.opened;
      await sleep('nap', '10s');
      return 'awake';
    });
    const run = await engine.start(sleeping, {});
    const asked = await trips.during(async () => {
      may.open();
      await expect.poll(() => trips.look(() => run.summary())).toMatchObject({ status: 'waiting' });
      const result = trips.look(() => run.result());
      await clock.advance('11s');
      expect(await result).toBe('awake');
    });
    expect(overBudget(asked, 4)).toEqual([]);
  });

  test('a fork takes at most 3', async () => {
    const { trips, engine } = await setUp(create());
    const run = await engine.start(chain(3, Promise.resolve()), {});
    await trips.look(() => run.outcome());
    expect(overBudget(await trips.during(() => run.fork()), 3)).toEqual([]);
  });

  test('a child takes at most 8, from its start to its result', async () => {
    const { engine, cost } = await setUp(create());
    const may = gate();
    const inner = workflow('inner', { input: none }, async () => 7);
    const outer = workflow('outer', { input: none }, async (_, { child }) => {
      await may.opened;
      return child('in', inner, {});
    });
    const run = await engine.start(outer, {});
    const asked = await cost(run, async () => may.open());
    expect(await run.result()).toBe(7);
    expect(overBudget(asked, 8)).toEqual([]);
  });
});
