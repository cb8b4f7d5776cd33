// Budgets: over a network every call of the driver is a round trip.
import { ask, counter, graph, type Store, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { gate, placeOn, storesOf } from './every-place.ts';
import { RoundTrips } from './round-trips.ts';

const none = z.object({});

/** The part of a run that says when it has nothing to do. */
interface Idle {
  outcome(): Promise<unknown>;
}

/** An engine whose calls are counted, on a clock that stands still: nothing is asked just because time passes. */
async function setUp(store: Store) {
  const trips = new RoundTrips(store);
  const clock = virtualClock();
  const engine = await placeOn(trips.store).open({ clock });
  /** What the work asks for until the run has come to its end, or waits. */
  const cost = (run: Idle, work: () => Promise<unknown>): Promise<readonly string[]> =>
    trips.during(async () => {
      await work();
      await trips.look(() => run.outcome());
    });
  return { trips, clock, engine, cost };
}

/** As many super-steps, each of one node; the first waits until it may. */
function rounds(count: number, opened: Promise<void>) {
  return graph('rounds', { state: { n: counter() } })
    .node('next', async () => {
      await opened;
      return { n: 1 };
    })
    .edge('start', 'next')
    .route('next', ['next', 'end'], ({ n }) => (n < count ? 'next' : 'end'))
    .compile();
}

describe.each(storesOf())('round trips on $name', ({ create }) => {
  test('a start takes 1', async () => {
    const { trips, engine } = await setUp(create());
    const may = gate();
    const asked = await trips.during(() => engine.start(rounds(1, may.opened), {}));
    may.open();
    expect(asked.length, asked.join(', ')).toBeLessThanOrEqual(1);
  });

  test('a super-step takes 1', async () => {
    const costs: number[] = [];
    for (const count of [10, 30]) {
      const { engine, cost } = await setUp(create());
      const may = gate();
      const run = await engine.start(rounds(count, may.opened), {});
      costs.push((await cost(run, async () => may.open())).length);
    }
    expect((costs[1] as number) - (costs[0] as number)).toBe(20);
  });

  test('an answer takes at most 3, until the run is executed again', async () => {
    const { trips, engine, cost } = await setUp(create());
    const may = gate();
    const asks = { ok: ask({ show: z.string(), answer: z.boolean() }) };
    const asking = workflow('asking', { input: none, asks }, async (_, context) => {
      const answer = await context.ask('ok', 'q');
      await may.opened;
      return answer;
    });
    const run = await engine.start(asking, {});
    await trips.look(() => run.outcome());
    const asked = await trips.during(() => run.answer('ok', true));
    expectAtMost(asked, 3);
    // What follows is a super-step.
    expectAtMost(await cost(run, async () => may.open()), 1);
    expect(await run.result()).toBe(true);
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
    expect(asked.length, asked.join(', ')).toBeLessThanOrEqual(4);
  });

  test('a fork takes at most 3', async () => {
    const { trips, engine } = await setUp(create());
    const run = await engine.start(rounds(3, Promise.resolve()), {});
    await trips.look(() => run.outcome());
    const asked = await trips.during(() => run.fork());
    expect(asked.length, asked.join(', ')).toBeLessThanOrEqual(3);
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
    expect(asked.length, asked.join(', ')).toBeLessThanOrEqual(8);
  });
});
