import { counter, graph, list, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, gate, memoryPlace, turns } from './every-place.ts';

const loop = graph('loop', { state: { n: counter(), stop: z.number().default(4) } })
  .node('again', () => ({ n: 1 }))
  .edge('start', 'again')
  .route('again', ['again', 'end'], ({ n, stop }) => (n < stop ? 'again' : 'end'))
  .compile();

describe('maxSupersteps', () => {
  test('counts over resumes, fails with the state saved, and finishing on exactly the limit is finishing', async () => {
    const engine = await memoryPlace().open();
    const run = await engine.start(loop, { stop: 6 }, { maxSupersteps: 2 });
    expect(await run.outcome()).toMatchObject({
      status: 'failed',
      state: { n: 2 },
      error: { code: 'HOLDFAST_MAX_SUPERSTEPS' },
    });
    await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'failed', state: { n: 2 } });
    await run.resume({ maxSupersteps: 5 });
    expect(await run.outcome()).toMatchObject({ status: 'failed', state: { n: 5 } });
    await run.resume({ maxSupersteps: 6 });
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { n: 6 } });
  });

  test('is 100 for a graph that goes in circles, and counts each turn anew', async () => {
    const engine = await memoryPlace().open();
    const run = await engine.start(loop, { stop: 101 });
    expect(await run.outcome()).toMatchObject({ status: 'failed', state: { n: 100 } });
    const other = await engine.start(loop, { stop: 100 }, { id: 'o', turn: 't1' });
    expect(await other.outcome()).toMatchObject({ status: 'completed' });
    await engine.start(loop, { stop: 150 }, { id: 'o', turn: 't2' });
    expect(await other.outcome()).toMatchObject({ status: 'completed', state: { n: 150 } });
  });
});

function circle(maxSupersteps: number) {
  return graph('circle', { state: { n: counter(), stop: z.number() }, maxSupersteps })
    .node('again', () => ({ n: 1 }))
    .edge('start', 'again')
    .route('again', ['again', 'end'], ({ n, stop }) => (n < stop ? 'again' : 'end'))
    .compile();
}

describe('a number that no record can hold', () => {
  test('is refused by start and resume, and nothing is written of it', async () => {
    const engine = await memoryPlace().open();
    const code = 'HOLDFAST_INVALID_OPTION';
    const most = { maxSupersteps: 2 ** 52, timeout: 2 ** 52 };
    const run = await engine.start(loop, { stop: 1 }, { id: 'r', ...most, pauseBefore: ['again'] });
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    await expect(run.resume({ maxSupersteps: 2 ** 52 + 1 })).rejects.toMatchObject({ code });
    await expect(engine.start(loop, {}, { id: 'x', maxSupersteps: 2 ** 52 + 1 })).rejects.toMatchObject({ code });
    expect((await engine.runs().toArray()).map(({ id }) => id)).toEqual(['r']);
    await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'completed' });
  });
});

describe('maxSupersteps of a graph', () => {
  test('holds for its runs and child runs, and start can raise it', async () => {
    const short = circle(3);
    const parent = workflow('parent', { input: z.number() }, async (stop, { child }) => child('c', short, { stop }));
    const engine = await memoryPlace().open();
    const run = await engine.start(short, { stop: 4 });
    expect(await run.outcome()).toMatchObject({ status: 'failed', state: { n: 3 } });
    await expect((await engine.start(parent, 4)).result()).rejects.toThrow('limit of 3 super-steps');
    expect((await (await engine.start(short, { stop: 4 }, { maxSupersteps: 4 })).result()).n).toBe(4);
  });

  test('may be Infinity', async () => {
    const engine = await memoryPlace().open();
    expect((await (await engine.start(circle(Number.POSITIVE_INFINITY), { stop: 150 })).result()).n).toBe(150);
  });
});

describe('each', () => {
  test('runs 16 items at a time unless told otherwise', async () => {
    let running = 0;
    let most = 0;
    const wide = graph('wide', { state: { items: list<number>() } })
      .each(
        'item',
        ({ items }) => items,
        async (_item, { step }) => {
          await step('work', async () => {
            running += 1;
            most = Math.max(most, running);
            await turns(3);
            running -= 1;
          });
        },
      )
      .edge('start', 'item')
      .edge('item', 'end')
      .compile();
    const engine = await memoryPlace().open();
    await (await engine.start(wide, { items: Array.from({ length: 50 }, (_, at) => at) })).result();
    expect(most).toBe(16);
  });
});

describe('a question declared by the schema of its answer', () => {
  test('shows anything, and its answer is validated', async () => {
    const confirm = workflow('confirm', { input: z.string(), asks: { ok: z.boolean() } }, async (what, { ask }) => ({
      sure: await ask('ok', { what }),
      again: await ask('ok'),
    }));
    const engine = await memoryPlace().open();
    const run = await engine.start(confirm, 'delete it', { id: 'r' });
    expect(await run.outcome()).toMatchObject({
      status: 'waiting',
      waits: [{ name: 'ok', show: { what: 'delete it' } }],
    });
    await expect(run.answer('ok', 'yes' as never)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
    await run.answer('ok', true);
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'ok' }] });
    await run.answer('ok', false);
    expect(await run.result()).toEqual({ sure: true, again: false });
  });
});

describeEverywhere('pauses', (place) => {
  test('stop before and after the named nodes until resume', async () => {
    const line = graph('line', { state: { log: list<string>() } })
      .node('a', () => ({ log: 'a' }))
      .node('b', () => ({ log: 'b' }))
      .node('c', () => ({ log: 'c' }))
      .edge('start', 'a')
      .edge('a', 'b')
      .edge('b', 'c')
      .edge('c', 'end')
      .compile();
    const here = place();
    const first = await here.open();
    const run = await first.start(line, {}, { id: 'r', pauseAfter: ['a'], pauseBefore: ['c'] });
    expect(await run.outcome()).toMatchObject({
      status: 'waiting',
      state: { log: ['a'] },
      waits: [{ kind: 'pause', when: 'after', node: 'a' }],
    });
    await first.close();
    const second = await here.open({ graphs: [line] });
    expect(await second.recover()).toBe(0);
    const again = await second.get(line, 'r');
    await again.resume();
    expect(await again.outcome()).toMatchObject({
      state: { log: ['a', 'b'] },
      waits: [{ kind: 'pause', when: 'before', node: 'c' }],
    });
    await again.resume();
    expect(await again.outcome()).toMatchObject({ status: 'completed', state: { log: ['a', 'b', 'c'] } });
  });

  test('refuse names that are no nodes', async () => {
    const engine = await place().open();
    await expect(engine.start(loop, {}, { pauseBefore: ['x' as never] })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
  });
});

describeEverywhere('cancel', (place) => {
  test('reaches running code and children, and no user code runs afterwards', async () => {
    const log: string[] = [];
    const begun = gate();
    const inner = workflow('inner', { input: z.object({}) }, async (_, { signal, step }) => {
      await step('long', async (info) => {
        begun.open();
        await new Promise<void>((resolve) => info.signal.addEventListener('abort', () => resolve()));
        log.push(`inner ${signal.aborted}`);
      });
      log.push('after');
    });
    const outer = workflow('outer', { input: z.object({}) }, async (_, { child }) => {
      await child('inner', inner, {});
      log.push('outer');
    });
    const engine = await place().open();
    const run = await engine.start(outer, {}, { id: 'r' });
    await begun.opened;
    await run.cancel('enough');
    expect(await run.outcome()).toMatchObject({ status: 'cancelled', reason: 'enough' });
    await expect.poll(() => all(engine.runs({ parentId: 'r' }))).toMatchObject([{ status: 'cancelled' }]);
    expect(log).toEqual(['inner true']);
    await expect(run.result()).rejects.toMatchObject({ code: 'HOLDFAST_CANCELLED' });
    await expect(run.resume()).rejects.toMatchObject({ code: 'HOLDFAST_RUN_ENDED' });
    await run.cancel();
  });

  test('ends a run that waits, where nobody executes it', async () => {
    const waits = workflow('waits', { input: z.object({}), receives: { go: z.number() } }, (_, { receive }) =>
      receive('go'),
    );
    const here = place();
    const first = await here.open();
    await (await first.start(waits, {}, { id: 'r' })).outcome();
    await first.close();
    const second = await here.open({ executes: false });
    const run = await second.get('r');
    await run.cancel();
    expect(await run.outcome()).toMatchObject({ status: 'cancelled', reason: undefined });
    await expect(run.send('go', 1)).rejects.toMatchObject({ code: 'HOLDFAST_RUN_ENDED' });
  });
});

describe('cancel from another engine', () => {
  test('reaches the code while the executor is busy committing', async () => {
    const here = (await import('./every-place.ts')).memoryPlace();
    const begun = gate();
    let isAborted = false;
    const busy = workflow('busy', { input: z.object({}) }, async (_, { step, signal }) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
      });
      for (let n = 0; !isAborted && n < 2000; n += 1) {
        await step(`s${n}`, async () => {
          begun.open();
          await turns(1);
        });
      }
    });
    const executor = await here.open();
    const run = await executor.start(busy, {}, { id: 'r' });
    await begun.opened;
    const other = await here.open({ executes: false });
    await (await other.get('r')).cancel('from afar');
    expect(await run.outcome()).toMatchObject({ status: 'cancelled', reason: 'from afar' });
    expect(isAborted).toBe(true);
  });
});
