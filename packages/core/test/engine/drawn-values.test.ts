// now(), uuid() and log(): journalled without a step, and without a commit of their own.
import { graph, list, workflow } from 'holdfast';
import { record, replay, virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, gate, memoryPlace, placeOn, storesOf } from './every-place.ts';
import { RoundTrips } from './round-trips.ts';

const none = z.object({});
const receives = { go: z.number() };
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What a body saw each time that it ran. */
interface Seen {
  readonly at: number;
  readonly ids: readonly string[];
}

function drawing(seen: Seen[]) {
  return workflow('drawing', { input: none, receives }, async (_, { now, uuid, log, receive }) => {
    const drawn = { at: now().getTime(), ids: [uuid(), uuid()] };
    seen.push(drawn);
    log('drawn', { first: drawn.ids[0] });
    const n = await receive('go');
    log(`went ${n}`);
    return { ...drawn, later: now().getTime() };
  });
}

/** Draws so many ids, and waits. */
function drawingOf(count: number) {
  return workflow('flow', { input: none, receives }, async (_, { uuid, log, receive }) => {
    const ids = Array.from({ length: count }, () => uuid());
    for (const id of ids) log(id);
    await receive('go');
    return ids;
  });
}

describeEverywhere('now() and uuid()', (place) => {
  test('give a body that runs again the same values, in another process too', async () => {
    const seen: Seen[] = [];
    const flow = drawing(seen);
    const clock = virtualClock();
    const here = place();
    const first = await here.open({ clock });
    await (await first.start(flow, {}, { id: 'r' })).outcome();
    await first.close();
    const later = virtualClock(new Date(clock.now() + 60_000));
    const second = await here.open({ clock: later, graphs: [flow] });
    await second.get(flow, 'r').send('go', 1);
    const result = await second.get(flow, 'r').result();
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(result).toMatchObject(seen[0] as Seen);
    expect(result.later).toBeGreaterThan(result.at);
    expect(new Set(result.ids).size).toBe(2);
    for (const id of result.ids) expect(id).toMatch(uuid4);
  });

  test('are durable before the next step begins', async () => {
    const begun = gate();
    const ids: string[] = [];
    const flow = workflow('insert', { input: none }, async (_, { uuid, step }) => {
      const id = uuid();
      return step('insert', async () => {
        ids.push(id);
        begun.open();
        if (ids.length === 1) await new Promise(() => {});
        return id;
      });
    });
    const here = place();
    const first = await here.open();
    await first.start(flow, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const second = await here.open({ graphs: [flow] });
    await second.recover();
    expect(await second.get(flow, 'r').result()).toBe(ids[0]);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test('decide what happens next: changed code is noticed, an hour that has passed is none', async () => {
    const ask = { show: z.string(), answer: z.boolean() };
    const flow = workflow('decide', { input: none, asks: { ok: ask } }, async (_, { now, step, ask: question }) => {
      const way = now().getTime() < 1_000 ? 'early' : 'late';
      await step(way, () => way);
      await question('ok', way);
      return step('end', () => way);
    });
    const here = place();
    const first = await here.open({ clock: virtualClock(new Date(0)) });
    await (await first.start(flow, {}, { id: 'r' })).outcome();
    await first.close();
    const second = await here.open({ clock: virtualClock(new Date(5_000_000)), graphs: [flow] });
    await second.get(flow, 'r').answer('ok', true);
    expect(await second.get(flow, 'r').result()).toBe('early');
  });

  test('leave no record of a body that has diverged', async () => {
    const ask = { show: z.string(), answer: z.boolean() };
    const code = (isChanged: boolean) =>
      workflow('flow', { input: none, asks: { ok: ask } }, async (_, { step, uuid, log, ask: question }) => {
        if (isChanged) log(uuid());
        await step(isChanged ? 'b' : 'a', () => 1);
        return question('ok', '?');
      });
    const here = place();
    const first = await here.open();
    await (await first.start(code(false), {}, { id: 'r' })).outcome();
    await first.close();
    const changed = code(true);
    const second = await here.open({ graphs: [changed] });
    const run = await second.get(changed, 'r');
    await run.answer('ok', true);
    const before = await all(second.journal.read('r'));
    await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED' });
    expect(await all(second.journal.read('r'))).toEqual(before);
  });

  test('may be added and removed while a run waits', async () => {
    const here = place();
    for (const [id, before, after] of [
      ['more', 1, 3],
      ['fewer', 3, 1],
    ] as const) {
      const first = await here.open();
      await (await first.start(drawingOf(before), {}, { id })).outcome();
      await first.close();
      const changed = drawingOf(after);
      const second = await here.open({ graphs: [changed] });
      await second.get(changed, id).send('go', 1);
      expect(await second.get(changed, id).result()).toHaveLength(after);
      await second.close();
    }
  });

  test('are kept by a fork of an open super-step, and by the next attempt of a node', async () => {
    const seen: Seen[] = [];
    const flow = drawing(seen);
    const engine = await place().open();
    const run = await engine.start(flow, {});
    await run.outcome();
    const fork = await run.fork({ resume: true });
    await fork.send('go', 1);
    expect((await fork.result()).ids).toEqual(seen[0]?.ids);
    const ids: string[] = [];
    const failing = graph('failing', { state: { log: list<string>() } })
      .node(
        'a',
        ({ uuid, attempt }) => {
          ids.push(uuid());
          if (attempt < 3) throw new Error('no');
          return { log: uuid() };
        },
        { retry: { attempts: 3, backoff: 0 } },
      )
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const { log } = await engine.start(failing, {}).result();
    expect(new Set(ids).size).toBe(1);
    expect(log).not.toContain(ids[0]);
  });

  test('are different for every item of an each', async () => {
    const many = graph('many', { state: { ids: list<string>() } })
      .each(
        'draw',
        () => [1, 2, 3],
        (_, { uuid }) => ({ ids: uuid() }),
      )
      .edge('start', 'draw')
      .edge('draw', 'end')
      .compile();
    const { ids } = await (await place().open()).start(many, {}).result();
    expect(new Set(ids).size).toBe(3);
  });
});

describeEverywhere('log()', (place) => {
  test('writes each line once, and shows it as an event with its node', async () => {
    const engine = await place().open();
    const run = await engine.start(drawing([]), {});
    await run.outcome();
    await run.send('go', 7);
    const { ids } = await run.result();
    const lines = (await all(run.events())).filter((event) => event.type === 'log');
    expect(lines).toMatchObject([
      { node: 'main', task: '1/main', attempt: 1, message: 'drawn', data: { first: ids[0] } },
      { node: 'main', attempt: 1, message: 'went 7', data: undefined },
    ]);
    const records = await all(engine.journal.read(run.id, { kind: 'log' }));
    expect(records.map(({ payload }) => payload)).toMatchObject([{ message: 'drawn' }, { message: 'went 7' }]);
  });

  test('tells of every attempt, and of what a step does', async () => {
    const flow = graph('flow', { state: { log: list<string>() }, receives })
      .node(
        'a',
        async ({ log, step, receive, attempt }) => {
          log('begins');
          await step('work', () => log('works', new Error('a cause')));
          if (attempt === 1) throw new Error('no');
          await receive('go');
          log('ends', { odd: () => 1 });
        },
        { retry: { attempts: 2, backoff: 0 } },
      )
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const run = await (await place().open()).start(flow, {});
    await run.outcome();
    await run.send('go', 1);
    await run.result();
    const lines = (await all(run.events())).filter((event) => event.type === 'log');
    expect(lines.map(({ message, attempt }) => [message, attempt])).toEqual([
      ['begins', 1],
      ['works', 1],
      ['begins', 2],
      ['ends', 2],
    ]);
    expect(lines[1]).toMatchObject({ data: { message: 'a cause' } });
    expect(lines[3]).toMatchObject({ data: expect.stringMatching(/^\[not stored\]/) });
  });

  test('of a body that waits no more is left out', async () => {
    const late = gate();
    const flow = workflow('late', { input: none, receives }, async (_, { log, receive, uuid }) => {
      void late.opened.then(() => log(uuid()));
      return receive('go');
    });
    const engine = await place().open();
    const run = await engine.start(flow, {});
    await run.outcome();
    late.open();
    await run.send('go', 1);
    await run.result();
    const records = await all(engine.journal.read(run.id));
    expect(records.filter(({ kind }) => kind === 'log').length).toBeLessThan(2);
  });
});

describe.each(storesOf())('drawn values on $name', ({ create }) => {
  test('cost no commit of their own', async () => {
    const plain = workflow('plain', { input: none }, async (_, { step }) => {
      await step('a', () => 1);
      return step('b', () => 2);
    });
    const drawn = workflow('drawn', { input: none }, async (_, { step, now, uuid, log }) => {
      await step('a', () => [now(), uuid()].length);
      log('between', now());
      await step('b', () => uuid());
      log('end', uuid());
    });
    const costs: number[] = [];
    for (const flow of [plain, drawn]) {
      const trips = new RoundTrips(create());
      const engine = await placeOn(trips.store).open({ clock: virtualClock() });
      const asked = await trips.during(async () => {
        const run = await engine.start(flow as typeof plain, {});
        await trips.look(() => run.outcome());
      });
      costs.push(asked.filter((call) => call === 'commit').length);
    }
    expect(costs[1]).toBe(costs[0]);
  });
});

describe('a recorded run', () => {
  test('replays what its bodies drew', async () => {
    const seen: Seen[] = [];
    const flow = drawing(seen);
    const engine = await memoryPlace().open();
    const run = await engine.start(flow, {});
    await run.outcome();
    await run.send('go', 1);
    const result = await run.result();
    const { outcome } = await replay(flow, await record(await engine.get(flow, run.id)));
    expect(outcome).toMatchObject({ status: 'completed', output: result });
  });
});
