// Workflows that start over: every round is a super-step of its own.
import { again, graph, HoldfastError, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const round = z.object({ round: z.number() });

const looping = (last: number, seen: { round: number; key: string }[] = []) =>
  workflow('looping', { input: round, maxSupersteps: 2 }, async (input, { step }) => {
    await step('work', ({ key }) => void seen.push({ round: input.round, key }));
    return input.round === last ? `done after ${last}` : again({ round: input.round + 1 });
  });

describeEverywhere('again()', (place) => {
  test('starts the body over with the next input, fresh keys and nothing to replay', async () => {
    const seen: { round: number; key: string }[] = [];
    const engine = await place().open();
    const run = await engine.start(looping(5, seen), { round: 1 });
    expect(await run.result()).toBe('done after 5');
    expect(seen.map((each) => each.round)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(5);
  });

  test('makes a checkpoint, and is not counted by maxSupersteps', async () => {
    const engine = await place().open();
    const run = await engine.start(looping(5), { round: 1 });
    await run.result();
    expect(await run.summary()).toMatchObject({ superstep: 5 });
  });

  test('leaves the original input to identify the run', async () => {
    const engine = await place().open();
    const flow = looping(3);
    await engine.start(flow, { round: 1 }, { id: 'r' }).result();
    expect(await engine.start(flow, { round: 1 }, { id: 'r' }).result()).toBe('done after 3');
    await expect(engine.start(flow, { round: 3 }, { id: 'r' })).rejects.toThrow(HoldfastError);
  });

  test('continues with the last round in another process', async () => {
    const counts: number[] = [];
    const flow = workflow(
      'rounds',
      { input: round, receives: { go: z.string() } },
      async (input, { receive, step }) => {
        await step('count', () => void counts.push(input.round));
        const word = await receive('go');
        return word === 'stop' ? input.round : again({ round: input.round + 1 });
      },
    );
    const { open } = place();
    const first = await open({ graphs: [flow] });
    const run = await first.start(flow, { round: 1 }, { id: 'r' });
    for (const word of ['on', 'on']) {
      await run.outcome();
      await run.send('go', word);
    }
    await run.outcome();
    await first.close();
    const engine = await open({ graphs: [flow] });
    await engine.get(flow, 'r').send('go', 'stop');
    await engine.recover();
    expect(await engine.get(flow, 'r').result()).toBe(3);
    expect(counts).toEqual([1, 2, 3]);
  });

  test('withdraws open waits, and keeps messages that nobody has received', async () => {
    const flow = workflow(
      'waits',
      { input: round, asks: { ok: z.boolean() }, receives: { item: z.number(), go: z.string() } },
      async (input, { ask, receive }) => {
        const answer = ask('ok').then(() => 'answered');
        const way = await Promise.race([answer, receive('go')]);
        return input.round === 1 ? again({ round: 2 }) : { way, item: await receive('item') };
      },
    );
    const run = await (await place().open()).start(flow, { round: 1 });
    const [first] = await waitsOf(run, 'ask');
    await run.send('item', 7);
    await run.send('go', 'on');
    const [second] = await waitsOf(run, 'ask');
    expect(second).not.toBe(first);
    await expect(run.answer('ok', true, { id: first as string })).rejects.toThrow(HoldfastError);
    await run.answer('ok', true, { id: second as string });
    expect(await run.result()).toEqual({ way: 'answered', item: 7 });
  });

  test('cancels children that the round did not wait for', async () => {
    const child = workflow('child', { input: z.object({}), receives: { never: z.string() } }, async (_, { receive }) =>
      receive('never'),
    );
    const flow = workflow('parent', { input: round, receives: { go: z.string() } }, async (input, context) => {
      if (input.round === 2) return 'done';
      await Promise.race([context.child('slow', child, {}), context.receive('go')]);
      return again({ round: 2 });
    });
    const engine = await place().open();
    const run = await engine.start(flow, { round: 1 });
    await run.outcome();
    await run.send('go', 'on');
    expect(await run.result()).toBe('done');
    const children = await engine.runs({ graph: 'child' }).toArray();
    expect(children.map(({ status }) => status)).toEqual(['cancelled']);
  });

  test('can be forked in the middle, and continues from that round', async () => {
    const engine = await place().open();
    const flow = looping(5);
    const run = await engine.start(flow, { round: 1 });
    await run.result();
    const checkpoints = await all(run.history());
    const third = checkpoints.find(({ superstep }) => superstep === 2);
    const fork = await run.fork({ at: third?.id ?? '', resume: true });
    expect(await fork.result()).toBe('done after 5');
    expect(await fork.summary()).toMatchObject({ superstep: 5 });
  });

  test('checks its input like a start does', async () => {
    const flow = workflow('odd', { input: round }, async () => again({ round: 'two' as unknown as number }));
    await expect((await place().open()).start(flow, { round: 1 }).result()).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_VALUE',
    });
  });

  test('in a node of a graph says what to do instead', async () => {
    const odd = graph('odd', { state: { log: list<string>() } })
      .node('a', () => again({}) as unknown as { log: string })
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    await expect((await place().open()).start(odd, {}).result()).rejects.toThrow(/add an edge or a goto back/);
  });

  test('wakes sleeps of later rounds', async () => {
    const clock = virtualClock();
    const flow = workflow('naps', { input: round }, async (input, { sleep }) => {
      await sleep('1h');
      return input.round === 20 ? 'rested' : again({ round: input.round + 1 });
    });
    const run = await (await place().open({ clock })).start(flow, { round: 1 });
    await clock.advance('21h');
    expect(await run.result()).toBe('rested');
  });
});

interface Waiting {
  outcome(): Promise<{
    readonly status: string;
    readonly waits?: readonly { readonly kind: string; readonly id: string }[];
  }>;
}

async function waitsOf(run: Waiting, kind: string): Promise<readonly string[]> {
  const { waits = [] } = await run.outcome();
  return waits.filter((wait) => wait.kind === kind).map(({ id }) => id);
}
