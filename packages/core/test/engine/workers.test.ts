import { graph, list, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, gate, memoryPlace, turns } from './every-place.ts';

const none = z.object({});

describeEverywhere('a worker', (place) => {
  test('executes what others have submitted, and drains when told to stop', async () => {
    const begun = gate();
    const told = gate();
    const slow = workflow('slow', { input: none }, async (_, { step }) => {
      await step('a', async () => {
        begun.open();
        await told.opened;
      });
      return 'done';
    });
    const here = place();
    const engine = await here.open({ graphs: [slow] });
    const run = await engine.submit(slow, {}, { id: 'r' });
    expect(await run.summary()).toMatchObject({ status: 'pending' });
    const stop = new AbortController();
    const working = engine.work({ signal: stop.signal, concurrency: 2 }).done;
    await begun.opened;
    stop.abort();
    told.open();
    await working;
    const { status } = await run.summary();
    expect(['completed', 'running', 'pending']).toContain(status);
    expect(await run.result()).toBe('done');
  });

  test('gives back at once what it could not finish in time', async () => {
    const begun = gate();
    let tries = 0;
    const stuck = workflow('stuck', { input: none }, (_, { step }) =>
      step('a', async ({ signal }) => {
        tries += 1;
        begun.open();
        if (tries === 1) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
        return tries;
      }),
    );
    const here = place();
    const engine = await here.open({ graphs: [stuck] });
    const run = await engine.submit(stuck, {}, { id: 'r' });
    const stop = new AbortController();
    const working = engine.work({ signal: stop.signal, drain: 10 }).done;
    await begun.opened;
    stop.abort();
    await working;
    expect(await engine.recover()).toBe(1);
    expect(await run.result()).toBe(2);
  });
});

describe('an engine that does not execute', () => {
  test('starts, answers and reads, and leaves the work to others', async () => {
    const here = memoryPlace();
    const flow = workflow('flow', { input: none, asks: { ok: { show: z.string(), answer: z.boolean() } } }, (_, c) =>
      c.ask('ok', 'q'),
    );
    const web = await here.open({ executes: false });
    const run = await web.start(flow, {}, { id: 'r' });
    await turns();
    expect(await run.summary()).toMatchObject({ status: 'pending' });
    const worker = await here.open({ graphs: [flow] });
    const stop = new AbortController();
    const working = worker.work({ signal: stop.signal }).done;
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    await run.answer('ok', true);
    expect(await run.result()).toBe(true);
    stop.abort();
    await working;
  });

  test('reads a run whose code is not there', async () => {
    const here = memoryPlace();
    const flow = graph('flow', { state: { log: list<string>() } })
      .node('a', () => ({ log: 'x' }))
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const first = await here.open();
    await (await first.start(flow, {}, { id: 'r', tags: { team: 'blue' } })).outcome();
    const web = await here.open({ executes: false });
    const run = await web.get('r');
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { log: ['x'] } });
    expect(await all(web.runs({ tags: { team: 'blue' }, status: 'completed' }))).toMatchObject([{ id: 'r' }]);
    await expect(web.get('other')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(
      web.get(
        workflow('w', { input: none }, async () => 1),
        'r',
      ),
    ).rejects.toMatchObject({
      code: 'HOLDFAST_INPUT_MISMATCH',
    });
  });
});

describe('a run that nobody waits for', () => {
  test('continues by itself: through sleeps, children and answers', async () => {
    const inner = workflow('inner', { input: none, asks: { ok: { show: z.string(), answer: z.boolean() } } }, (_, c) =>
      c.ask('ok', 'q'),
    );
    const outer = graph('outer', { state: { log: list<string>() } })
      .node('nap', async ({ sleep }) => {
        await sleep('nap', 20);
        return { log: 'slept' };
      })
      .graph('in', inner, { in: () => ({}), out: (ok) => ({ log: `said ${ok}` }) })
      .edge('start', ['nap', 'in'])
      .edge(['nap', 'in'], 'end')
      .compile();
    const engine = await memoryPlace().open();
    const run = await engine.start(outer, {}, { id: 'r' });
    await run.answer('in/ok', true);
    await expect.poll(async () => (await run.summary()).status).toBe('completed');
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { log: ['slept', 'said true'] } });
  });
});

describe('a child', () => {
  const inner = workflow('inner', { input: z.object({ n: z.number() }) }, async ({ n }, { step }) => {
    if (n < 0) throw new RangeError(`n is ${n}`);
    return step('double', () => n * 2);
  });

  test('that is given a bad input fails its node', async () => {
    const outer = workflow('outer', { input: none }, (_, { child }) => child('c', inner, { n: 'x' as never }));
    const engine = await memoryPlace().open();
    const outcome = await (await engine.start(outer, {})).outcome();
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'HOLDFAST_INVALID_VALUE' } });
  });

  test('that fails rejects as it failed, and is resumed with its parent', async () => {
    let isBroken = true;
    const fragile = workflow('fragile', { input: none }, async (_, { step }) => {
      const kept = await step('once', () => 'kept', { effect: 'once' });
      if (isBroken) throw new Error('broken');
      return kept;
    });
    const outer = workflow('outer', { input: none }, (_, { child }) => child('c', fragile, {}));
    const engine = await memoryPlace().open();
    const run = await engine.start(outer, {}, { id: 'r' });
    const outcome = await run.outcome();
    if (outcome.status !== 'failed') throw new Error(outcome.status);
    expect(String(outcome.error)).toContain('broken');
    isBroken = false;
    await run.resume();
    expect(await run.result()).toBe('kept');
    expect(await all(engine.runs({ parentId: 'r' }))).toHaveLength(1);
  });

  test('is started once however often the body runs', async () => {
    const outer = workflow('outer', { input: none, receives: { go: z.number() } }, async (_, { child, receive }) => {
      const [a, go] = await Promise.all([child('c', inner, { n: 4 }), receive('go')]);
      return a + go;
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(outer, {}, { id: 'r' });
    await run.outcome();
    await run.send('go', 1);
    expect(await run.result()).toBe(9);
    expect(await all(engine.runs({ parentId: 'r' }))).toHaveLength(1);
  });
});
