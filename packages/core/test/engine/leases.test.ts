// Who may execute a run: workers that share a name, clocks that are a day off, builds that cannot continue it.
import { type EngineOptions, graph, list, workflow } from 'holdfast';
import { defineStore } from 'holdfast/store';
import { memoryStore, virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nodeEnv } from '../../src/env/node-env.ts';
import { openDriver } from '../../src/store/store.ts';
import type { Clock } from '../../src/time/clock.ts';
import { describeShared, gate, memoryPlace, type Place, placeOn } from './every-place.ts';

const none = z.object({});
const dayMs = 24 * 3_600_000;

const quick = workflow('quick', { input: none }, async (_, { sleep }) => {
  await sleep('nap', 5);
  return 'done';
});

describeShared('workers of the same name', (place) => {
  test('never release each other’s runs', async () => {
    const may = gate();
    const slow = workflow('slow', { input: none }, (_, { step }) => step('wait', () => may.opened.then(() => 'done')));
    const here = place();
    const first = await here.open({ workerId: 'w' });
    const run = await first.start(slow, {}, { id: 'r' });
    const second = await here.open({ workerId: 'w', graphs: [slow] });
    await expect((await second.get(slow, 'r')).resume()).rejects.toMatchObject({
      code: 'HOLDFAST_RUN_LEASED',
      message: expect.stringContaining('worker w.'),
    });
    await second.close();
    may.open();
    expect(await run.result()).toBe('done');
  });
});

/** A place whose store has a clock of its own, as a server does. */
function placeWithClock(): Place {
  const inside = memoryStore();
  return placeOn(defineStore(() => openDriver(inside, nodeEnv)));
}

describe.each([-dayMs, dayMs])('a process whose clock is %d ms off', (offMs) => {
  const off: Clock = {
    now: () => nodeEnv.clock.now() + offMs,
    sleep: (ms, signal) => nodeEnv.clock.sleep(ms, signal),
  };

  test('submits runs that others execute at once', async () => {
    const here = placeWithClock();
    const client = await here.open({ executes: false, clock: off });
    const run = await client.submit(quick, {}, { id: 'r' });
    const worker = await here.open({ graphs: [quick] });
    expect(await worker.recover()).toBe(1);
    expect(await run.result()).toBe('done');
  });

  test('executes runs, and wakes them in time', async () => {
    const engine = await placeWithClock().open({ clock: off });
    expect(await (await engine.start(quick, {})).result()).toBe('done');
  });

  test('answers runs that others continue at once', async () => {
    const asks = { ok: { show: z.string(), answer: z.boolean() } };
    const asking = workflow('asking', { input: none, asks }, (_, c) => c.ask('ok', 'q'));
    const here = placeWithClock();
    const worker = await here.open();
    const run = await worker.start(asking, {}, { id: 'r' });
    await run.outcome();
    const client = await here.open({ executes: false, clock: off });
    await (await client.get(asking, 'r')).answer('ok', true);
    expect(await worker.recover()).toBe(1);
    expect(await run.result()).toBe(true);
  });
});

function flow(node: string) {
  return graph('flow', { state: { log: list<string>() }, receives: { go: z.number() } })
    .node(node, async ({ receive }) => ({ log: `${node} ${await receive('go')}` }))
    .edge('start', node)
    .edge(node, 'end')
    .compile();
}

describeShared('a run that a build cannot continue', (place) => {
  test('is released untouched, says why, and is continued at once by a build that can', async () => {
    const here = place();
    const old = await here.open({ graphs: [flow('a')] });
    const run = await old.start(flow('a'), {}, { id: 'r' });
    await run.outcome();
    await old.close();
    const client = await here.open({ executes: false });
    const sent = await client.get(flow('a'), 'r');
    await sent.send('go', 1);
    const { head } = await sent.summary();
    const changed = await here.open({ graphs: [flow('b')], workerId: 'changed' });
    expect(await changed.recover()).toBe(1);
    await expect
      .poll(async () => (await sent.summary()).refusals)
      .toMatchObject([
        {
          worker: 'changed',
          code: 'HOLDFAST_VERSION',
          message: expect.stringContaining('node a'),
          at: expect.any(Date),
        },
      ]);
    // What it refused is left out of its claims.
    expect(await changed.recover()).toBe(0);
    expect((await sent.summary()).head).toBe(head);
    expect(await changed.check()).toMatchObject([{ runId: 'r', refusals: [{ worker: 'changed' }] }]);
    const right = await here.open({ graphs: [flow('a')] });
    expect(await right.recover()).toBe(1);
    expect(await sent.result()).toEqual({ log: ['a 1'] });
    expect((await sent.summary()).refusals).toEqual([]);
  });
});

const steps = workflow('steps', { input: none }, async (_, { step }) => {
  for (const name of ['a', 'b', 'c']) await step(name, () => name);
});

/** Workers on a store that counts what it is asked, on a clock that the test moves. */
async function idleFleet(size: number, options: EngineOptions = {}) {
  const clock = virtualClock();
  const inside = memoryStore();
  const requests: string[] = [];
  const store = defineStore(async () => {
    const driver = await openDriver(inside, { ...nodeEnv, clock });
    const claim = driver.claim.bind(driver);
    driver.claim = (request) => {
      requests.push(request.type);
      return claim(request);
    };
    return driver;
  });
  const here = placeOn(store);
  const stop = new AbortController();
  const working: Promise<void>[] = [];
  for (let count = 0; count < size; count += 1) {
    const engine = await here.open({ graphs: [quick, steps], clock, ...options });
    working.push(engine.work({ signal: stop.signal }).done);
  }
  const end = async (): Promise<void> => {
    stop.abort();
    await Promise.all(working);
  };
  return { clock, requests, here, end };
}

describe('a fleet of 50 idle workers', () => {
  test('asks the store at most 25 times per second', async () => {
    const { clock, requests, end } = await idleFleet(50);
    await clock.advance(10_000);
    requests.length = 0;
    for (let second = 0; second < 60; second += 1) await clock.advance(1_000);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.length / 60).toBeLessThanOrEqual(25);
    await end();
  });

  test('claims at a submit, and not at what the worker that leases the run commits', async () => {
    // So long a lease that nobody asks without a hint.
    const { clock, requests, here, end } = await idleFleet(50, { lease: '1d' });
    const client = await here.open({ executes: false, clock });
    await clock.advance(1_000);
    requests.length = 0;
    const run = await client.submit(steps, {});
    await clock.advance(1_000);
    expect((await run.summary()).status).toBe('completed');
    // Each at the submit, and the one that executed it at its end.
    expect(requests.filter((type) => type === 'due').length).toBeLessThanOrEqual(51);
    await end();
  });
});

describe('a worker that others submit to', () => {
  test('is told at once, although nothing is due for long', async () => {
    const here = memoryPlace();
    const worker = await here.open({ graphs: [quick], lease: '10m' });
    const stop = new AbortController();
    const working = worker.work({ signal: stop.signal }).done;
    const client = await here.open({ executes: false });
    expect(await (await client.submit(quick, {})).result()).toBe('done');
    stop.abort();
    await working;
  });
});
