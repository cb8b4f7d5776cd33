import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { list } from '../../src/channel/list.ts';
import { openEngine } from '../../src/engine/open.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { defaultBounds } from '../../src/value/bounds.ts';
import { describeEverywhere } from '../engine/every-place.ts';

const tooMany = (bound: string): object => ({ code: 'HOLDFAST_TOO_MANY', details: { bound } });

const reader = workflow(
  'reader',
  {
    input: z.number(),
    receives: { mail: z.number() },
    asks: { first: { show: z.null(), answer: z.number() }, later: { show: z.null(), answer: z.number() } },
  },
  async (count, { receive, ask: question }) => {
    await question('first', null);
    let sum = 0;
    for (let at = 0; at < count; at += 1) sum += await receive('mail');
    return sum;
  },
);

const waiter = workflow('waiter', { input: z.number() }, async (count, { sleep }) => {
  const sleeps = Array.from({ length: count }, (_, at) => sleep(`nap ${at}`, '1h'));
  const [failed] = (await Promise.allSettled(sleeps.slice(-1))) as { readonly reason?: { code: string } }[];
  return failed?.reason?.code ?? 'all slept';
});

const parallel = graph('parallel', { state: { items: list<number>() } })
  .each(
    'nap',
    (state) => state.items,
    async (item, { sleep }) => sleep(`nap ${item}`, '1h').then(() => ({})),
  )
  .edge('start', 'nap')
  .edge('nap', 'end')
  .compile();

const steps = workflow('steps', { input: z.number() }, async (count, { step }) => {
  const all = await Promise.all(Array.from({ length: count }, (_, at) => step(`s${at}`, () => at)));
  return all.reduce((sum, each) => sum + each, 0);
});

describeEverywhere('16.5 floods: bounds, with typed errors', (place) => {
  test('a run takes so many unread messages, and more when it has read some', async () => {
    const engine = await place().open({ bounds: { queuedMessages: 3 } });
    const run = await engine.start(reader, 5, { id: 'r' });
    await run.outcome();
    const unknown = await engine.get<never>('r');
    await run.send('mail', 1, { id: 'one' });
    await run.send('mail', 2);
    await run.answer('later', 7);
    await expect(run.send('mail', 3)).rejects.toMatchObject(tooMany('queuedMessages'));
    await expect(unknown.send('mail' as never, 3 as never)).rejects.toMatchObject(tooMany('queuedMessages'));
    // A repeat is no new message.
    await run.send('mail', 1, { id: 'one' });
    // A run can always be answered: that is how it continues.
    await run.answer('first', 0);
  });

  test('reading makes room', async () => {
    const engine = await place().open({ bounds: { queuedMessages: 2 } });
    const run = await engine.start(reader, 6, { id: 'r' });
    await run.outcome();
    await run.answer('first', 0);
    for (let at = 1; at <= 6; at += 1) {
      await run.send('mail', at);
      await run.outcome();
    }
    expect(await run.result()).toBe(21);
  });

  test('a run waits for so many things at a time', async () => {
    const engine = await place().open({ bounds: { openWaits: 10 } });
    expect(await (await engine.start(waiter, 11)).result()).toBe('HOLDFAST_TOO_MANY');
    const fits = await engine.start(waiter, 10, { id: 'fits' });
    await expect.poll(async () => (await fits.summary()).waits.length).toBe(10);
    const run = await engine.start(parallel, { items: Array.from({ length: 11 }, (_, at) => at) });
    expect(await run.outcome()).toMatchObject({ status: 'failed', error: tooMany('openWaits') });
  });

  test('a run has so many tags, and a record so many labels', async () => {
    const engine = await place().open({ bounds: { tags: 2, labels: 2 } });
    const tags = { a: '1', b: '2', c: '3' };
    await expect(engine.start(steps, 1, { tags })).rejects.toMatchObject(tooMany('tags'));
    const run = await engine.start(steps, 1, { tags: { a: '1', b: '2' } });
    await run.result();
    await expect(run.fork({ tags })).rejects.toMatchObject(tooMany('tags'));
    const labels = ['a', 'b', 'c'];
    await expect(engine.journal.append('j', { labels })).rejects.toMatchObject(tooMany('labels'));
    await engine.journal.append('j', { labels: labels.slice(1) });
  });

  test('results that come together are written in commits of so many records', async () => {
    const engine = await place().open({ bounds: { batchRecords: 7 } });
    const run = await engine.start(steps, 100, { id: 'r' });
    expect(await run.result()).toBe(4_950);
    expect(await engine.verify()).toMatchObject({ ok: true });
  });
});

describe('bounds of openEngine()', () => {
  test.each([{ tags: 0 }, { tags: 1.5 }, { tags: -1 }, { tags: '3' }, { messages: 3 }])(
    'refuses %o',
    async (bounds) => {
      await expect(openEngine(memoryStore(), { bounds: bounds as never })).rejects.toMatchObject({
        code: 'HOLDFAST_INVALID_OPTION',
      });
    },
  );

  test('have defaults that are at least 64', () => {
    expect(Math.min(...Object.values(defaultBounds))).toBeGreaterThanOrEqual(64);
  });
});
