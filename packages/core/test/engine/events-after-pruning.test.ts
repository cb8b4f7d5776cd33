// Pruning drops records, and their events with them: readers begin, or continue, at the oldest that is kept.
import { graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, type Place } from './every-place.ts';

type Engine = Awaited<ReturnType<Place['open']>>;

const inbox = graph('inbox', { state: { got: list<number>() }, receives: { item: z.number() } })
  .node('take', async ({ receive }) => ({ got: await receive('item') }))
  .edge('start', 'take')
  .edge('take', 'take')
  .compile();

/** A run that has taken so many messages and waits for the next one. */
async function taken(engine: Engine, count: number, id = 'r') {
  const run = await engine.start(inbox, {}, { id });
  for (let item = 1; item <= count; item += 1) {
    await run.send('item', item);
    await run.outcome();
  }
  return run;
}

async function eventsOf(engine: Engine, after: string | number = 0, id = 'r'): Promise<readonly string[]> {
  const found: string[] = [];
  const run = await engine.get(inbox, id);
  for await (const { cursor, type } of run.events({ after, until: 'idle' })) found.push(`${cursor} ${type}`);
  return found;
}

const seqOf = (event: string | undefined): number => Number(event?.split('.')[0]);
const cursorOf = (event: string | undefined): string => event?.split(' ')[0] ?? '';

describeEverywhere('the events of a pruned run', (place) => {
  test('begin at the oldest that is kept, wherever a reader was', async () => {
    const engine = await place().open();
    await taken(engine, 4);
    const all = await eventsOf(engine);
    expect((await engine.prune({ runId: 'r', keep: 1 })).pruned).toBeGreaterThan(0);
    const kept = await eventsOf(engine);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(all.length);
    expect(kept).toEqual(all.slice(-kept.length));
    for (const event of all.slice(0, -kept.length)) expect(await eventsOf(engine, cursorOf(event))).toEqual(kept);
    expect(await eventsOf(engine, seqOf(kept[0]))).toEqual(kept.filter((event) => seqOf(event) > seqOf(kept[0])));
  });

  test('continue for a reader that was behind when it was pruned', async () => {
    const engine = await place().open();
    const run = await taken(engine, 4);
    const all = await eventsOf(engine);
    const read: string[] = [];
    for await (const { cursor, type } of run.events({ until: 'idle' })) {
      if (read.length === 0) await engine.prune({ runId: 'r', keep: 1 });
      read.push(`${cursor} ${type}`);
    }
    // Whether it had read more than it has told is its own business.
    expect(all).toEqual(expect.arrayContaining(read));
    expect(read.at(-1)).toBe(all.at(-1));
  });

  test('go on with what happens next', async () => {
    const engine = await place().open();
    const run = await taken(engine, 3);
    await engine.prune({ runId: 'r', keep: 1 });
    const kept = await eventsOf(engine);
    await run.send('item', 4);
    await run.outcome();
    const later = await eventsOf(engine, cursorOf(kept.at(-1)));
    expect(await eventsOf(engine)).toEqual([...kept, ...later]);
    expect(later.some((event) => event.endsWith('checkpoint'))).toBe(true);
  });

  test('of a fork begin where its base was pruned', async () => {
    const engine = await place().open();
    const run = await taken(engine, 3);
    const fork = await run.fork({ id: 'f', resume: true });
    await fork.outcome();
    await engine.prune({ runId: 'r', keep: 1 });
    await fork.send('item', 9);
    await fork.outcome();
    const found = await eventsOf(engine, 0, 'f');
    expect(seqOf(found[0])).toBeGreaterThan(1);
    expect((await (await engine.get(inbox, 'f')).state()).got).toEqual([1, 2, 3, 9]);
  });
});
