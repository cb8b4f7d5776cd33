// Runs that wake: within the limit of their worker, not during a drain, and whatever store call fails just then.
import { workflow } from 'holdfast';
import { faultyStore, virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { nodeEnv } from '../../src/env/node-env.ts';
import { openStore } from '../../src/store/store.ts';
import type { FaultKind, FaultyMethod } from '../../src/testing/fault/fault-plan.ts';
import { all, describeEverywhere, gate, type Place, placeOn, turns } from './every-place.ts';

const none = z.object({});

/** A workflow that sleeps, then does something that counts how many do it at the same time. */
function counted(ms: number) {
  const seen = { now: 0, most: 0, total: 0 };
  const flow = workflow('counted', { input: none }, async (_, { step, sleep }) => {
    await sleep('nap', ms);
    await step(
      'charge',
      async () => {
        seen.now += 1;
        seen.total += 1;
        seen.most = Math.max(seen.most, seen.now);
        await turns(5);
        seen.now -= 1;
      },
      { effect: 'once' },
    );
  });
  return { flow, seen };
}

describeEverywhere('a worker with a limit', (place) => {
  test('executes no more runs than that, also when many wake together', async () => {
    const clock = virtualClock();
    const { flow, seen } = counted(60_000);
    const engine = await place().open({ graphs: [flow], clock });
    for (let count = 0; count < 40; count += 1) await engine.submit(flow, {}, { id: `r${count}` });
    const stop = new AbortController();
    const working = engine.work({ signal: stop.signal, concurrency: 4 }).done;
    const run = await engine.get(flow, 'r39');
    await expect.poll(async () => (await run.summary()).status).toBe('waiting');
    await clock.advance(120_000);
    await expect.poll(() => seen.total).toBe(40);
    expect(seen.most).toBeLessThanOrEqual(4);
    expect(seen.most).toBeGreaterThan(1);
    stop.abort();
    await working;
  });

  test('counts runs that are started, answered or resumed beside it', async () => {
    const { flow, seen } = counted(1);
    const engine = await place().open({ graphs: [flow] });
    const stop = new AbortController();
    const working = engine.work({ signal: stop.signal, concurrency: 3 }).done;
    const runs = await Promise.all(Array.from({ length: 20 }, () => engine.start(flow, {})));
    await Promise.all(runs.map((run) => run.result()));
    expect(seen.total).toBe(20);
    expect(seen.most).toBeLessThanOrEqual(3);
    stop.abort();
    await working;
  });
});

describeEverywhere('a worker that drains', (place) => {
  test('starts nothing that wakes, during the drain and afterwards', async () => {
    const clock = virtualClock();
    const { flow, seen } = counted(60_000);
    const [begun, told] = [gate(), gate()];
    const slow = workflow('slow', { input: none }, async (_, { step }) => {
      await step('wait', async () => {
        begun.open();
        await told.opened;
      });
    });
    const engine = await place().open({ graphs: [flow, slow], clock });
    const stop = new AbortController();
    const working = engine.work({ signal: stop.signal, drain: '1h' }).done;
    const runs = [];
    for (let count = 0; count < 5; count += 1) runs.push(await engine.submit(flow, {}));
    for (const run of runs) await expect.poll(async () => (await run.summary()).status).toBe('waiting');
    await engine.submit(slow, {});
    await begun.opened;
    stop.abort();
    await clock.advance(120_000);
    const late = await engine.start(flow, {});
    await turns(50);
    expect(seen.total).toBe(0);
    told.open();
    await working;
    await clock.advance(120_000);
    await turns(50);
    expect(seen.total).toBe(0);
    expect(await late.summary()).toMatchObject({ status: 'pending' });
    expect(await engine.recover()).toBe(6);
    await Promise.all(runs.map((run) => run.result()));
    expect(seen.total).toBe(5);
  });

  test('executes what is started here afterwards, and wakes it', async () => {
    const { flow, seen } = counted(1);
    const engine = await place().open({ graphs: [flow] });
    const stop = new AbortController();
    const working = engine.work({ signal: stop.signal }).done;
    stop.abort();
    await working;
    await (await engine.start(flow, {})).result();
    expect(seen.total).toBe(1);
  });
});

const inner = workflow('inner', { input: none }, async (_, { step, sleep }) => {
  // Longer than the first retry takes.
  await sleep('nap', 300);
  return step('work', () => 'done');
});
const outer = workflow('outer', { input: none }, async (_, { child, sleep }) => {
  await sleep('first', 5);
  return child('inner', inner, {});
});

interface Fault {
  /** The number of the first call that fails, since the run was started. */
  readonly at: number;
  readonly calls: number;
  readonly kind: FaultKind;
}

/** Executes a run whose store fails, and tells whether it did. */
async function wakeWithFault(here: Place, fault: Fault): Promise<boolean> {
  let calls = Number.NEGATIVE_INFINITY;
  let isHit = false;
  const failing: ReadonlySet<FaultyMethod> = new Set(['claim', 'commit', 'load', 'records', 'runs', 'resolveDoubt']);
  const store = faultyStore(here.store, ({ method }) => {
    if (!failing.has(method)) return undefined;
    calls += 1;
    if (calls < fault.at || calls >= fault.at + fault.calls) return undefined;
    isHit = true;
    return fault.kind;
  });
  const engine = await placeOn(store).open({ graphs: [inner, outer] });
  const run = await engine.start(outer, {});
  calls = -1;
  // A reader whose own read fails is told so, and reads again.
  await expect.poll(() => run.result().catch(() => undefined)).toBe('done');
  calls = Number.NEGATIVE_INFINITY;
  return isHit;
}

describeEverywhere('a run that wakes', (place) => {
  const kinds = ['none', 'lost-request', 'lost-answer'] as const;
  test.each(kinds.flatMap((kind) => [1, 2].map((calls) => ({ kind, calls }))))(
    'is woken although any $calls store calls in a row fail, and so is its parent: $kind',
    async ({ kind, calls }) => {
      let isHit = true;
      for (let from = 0; isHit && from < 60; from += 20) {
        const cases = Array.from({ length: 20 }, (_, at) => wakeWithFault(place(), { at: from + at, calls, kind }));
        isHit = (await Promise.all(cases)).every(Boolean);
      }
      expect(isHit).toBe(false);
    },
  );
});

describeEverywhere('a long step', (place) => {
  const [graphs, begun] = longStep();

  test('is running from the moment that it is executed, without a commit of its own', async () => {
    const here = place();
    const engine = await here.open({ graphs });
    const run = await engine.submit(graphs[0], {}, { id: 'r' });
    const { head } = await run.summary();
    expect(await all(engine.runs({ status: 'pending' }))).toMatchObject([{ id: 'r', status: 'pending' }]);
    expect(await engine.recover()).toBe(1);
    await begun();
    expect(await run.summary()).toMatchObject({ status: 'running', head });
    expect(await all(engine.runs({ status: 'running' }))).toMatchObject([{ id: 'r', status: 'running' }]);
    expect(await all(engine.runs({ status: ['pending', 'waiting'] }))).toEqual([]);
  });

  test('survives any number of clean closes', async () => {
    const here = place();
    const client = await here.open({ executes: false });
    await client.submit(graphs[0], {}, { id: 'r' });
    await client.close();
    for (let closes = 0; closes < 7; closes += 1) {
      const engine = await here.open({ graphs });
      expect(await engine.recover()).toBe(1);
      await begun();
      await engine.close();
    }
    const engine = await here.open({ graphs });
    // Not failed: nothing of it is journalled yet.
    expect(await engine.get('r').summary()).toMatchObject({ status: 'pending' });
  });

  test('fails when its workers died five times, with releases in between or not', async () => {
    const here = place();
    const client = await here.open({ executes: false });
    await client.submit(graphs[0], {}, { id: 'r' });
    await client.close();
    const clock = virtualClock(new Date());
    for (let crash = 0; crash < 6; crash += 1) {
      const raw = await openStore(here.store, { ...nodeEnv, clock });
      const one = { type: 'one', leaseMs: 10, runId: 'r', ifDue: false } as const;
      const claim = async (worker: string): Promise<number> => (await raw.claim({ ...one, worker })).claimed.length;
      expect(await claim('polite')).toBe(1);
      await raw.claim({ type: 'release', worker: 'polite' });
      expect(await claim(`w${crash}`)).toBe(1);
      await clock.advance(11);
      await raw.close();
    }
    const engine = await here.open({ graphs, clock });
    await engine.recover();
    await expect((await engine.get('r')).result()).rejects.toMatchObject({
      code: 'HOLDFAST_CRASH_LOOP',
      details: { takeovers: 6 },
    });
  });
});

/** A workflow whose step ends only when it is aborted, and a promise of its next beginning. */
function longStep() {
  let begun = gate();
  const flow = workflow('long', { input: none }, (_, { step }) =>
    step('wait', ({ signal }) => {
      begun.open();
      return new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }),
  );
  const next = async (): Promise<void> => {
    await begun.opened;
    begun = gate();
  };
  return [[flow], next] as const;
}
