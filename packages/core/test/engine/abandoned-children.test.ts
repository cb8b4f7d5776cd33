import { graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const none = z.object({});
const ok = { show: z.string(), answer: z.boolean() };

const asking = workflow('asking', { input: none, asks: { ok } }, (_, c) => c.ask('ok', 'q'));
/** A child with a child of its own. */
const above = workflow('above', { input: none }, (_, c) => c.child('deep', asking, {}));

const racing = workflow('racing', { input: none, receives: { go: z.number() } }, async (_, c) =>
  Promise.race([c.child('slow', above, {}), c.receive('go')]),
);

describeEverywhere('a child that lost a race', (place) => {
  test('is cancelled with its own children when its parent has completed', async () => {
    const engine = await place().open({ graphs: [racing, above, asking] });
    const run = await engine.start(racing, {}, { id: 'r' });
    await run.outcome();
    expect(await all(engine.asks())).toHaveLength(1);
    await run.send('go', 1);
    expect(await run.result()).toBe(1);
    expect(await all(engine.asks())).toEqual([]);
    const [child] = await all(engine.runs({ parentId: 'r' }));
    expect(child).toMatchObject({ status: 'cancelled', graph: 'above' });
    const outcome = await (await engine.get(child?.id ?? '')).outcome();
    expect(outcome).toMatchObject({ status: 'cancelled', reason: 'its parent r continued without it' });
    expect((await all(engine.runs({ parentId: child?.id }))).map(({ status }) => status)).toEqual(['cancelled']);
    // The parent is not told of what it has cancelled.
    const kinds = (await all(engine.journal.read('r'))).map(({ kind }) => kind);
    expect(kinds).toEqual(['run-start', 'wait', 'wait', 'message', 'result', 'task', 'superstep', 'run-end']);
  });

  test('is cancelled at the end of its super-step, and a child that won is not', async () => {
    const flow = graph('flow', { state: { log: list<string>() }, receives: { go: z.number() } })
      .each(
        'races',
        () => [0, 1],
        async (item, c) => {
          const won = await Promise.race([c.child('slow', asking, {}, { tags: { item: `${item}` } }), c.receive('go')]);
          return { log: `${item} ${won}` };
        },
      )
      .node('rests', async ({ receive }) => ({ log: `${await receive('go')}` }))
      .edge('start', 'races')
      .edge('races', 'rests')
      .edge('rests', 'end')
      .compile();
    const engine = await place().open({ graphs: [flow, asking] });
    const run = await engine.start(flow, {}, { id: 'r' });
    await run.outcome();
    const [question] = await all(engine.asks({ tags: { item: '0' } }));
    await (await engine.get(asking, question?.runId ?? '')).answer('ok', true);
    await (await engine.get(asking, question?.runId ?? '')).result();
    await run.send('go', 1);
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive', node: 'rests' }] });
    const statuses = (await all(engine.runs({ parentId: 'r' }))).map(({ tags, status }) => [tags['item'], status]);
    expect(new Map(statuses as [string, string][])).toEqual(
      new Map([
        ['0', 'completed'],
        ['1', 'cancelled'],
      ]),
    );
    await run.send('go', 2);
    expect(await run.result()).toEqual({ log: ['0 true', '1 1', '2'] });
  });

  test('is cancelled when the failure of its node is caught, and kept while the node is tried again', async () => {
    const clock = virtualClock();
    const flow = graph('flow', { state: { log: list<string>() }, receives: { go: z.number() } })
      .node(
        'fails',
        async (c) => {
          await Promise.all([
            c.child('slow', asking, {}),
            c.receive('go').then((n) => Promise.reject(new Error(`${n}`))),
          ]);
        },
        { retry: { attempts: 2, backoff: '1m' }, catch: () => ({ log: 'caught' }) },
      )
      .edge('start', 'fails')
      .edge('fails', 'end')
      .compile();
    const here = place();
    const engine = await here.open({ clock, graphs: [flow, asking] });
    const run = await engine.start(flow, {}, { id: 'r' });
    await run.outcome();
    const [child] = await all(engine.runs({ parentId: 'r' }));
    await run.send('go', 1);
    for await (const event of run.events()) if (event.type === 'node-error') break;
    expect(await (await engine.get(child?.id ?? '')).outcome()).toMatchObject({ status: 'waiting' });
    await engine.close();
    await clock.advance('2m');
    const later = await here.open({ clock, graphs: [flow, asking] });
    expect(await later.recover()).toBe(1);
    expect(await (await later.get(flow, 'r')).result()).toEqual({ log: ['caught'] });
    expect(await (await later.get(child?.id ?? '')).outcome()).toMatchObject({ status: 'cancelled' });
  });

  test('is left alone by a fork of its parent', async () => {
    const engine = await place().open({ graphs: [racing, above, asking] });
    const run = await engine.start(racing, {}, { id: 'r' });
    await run.outcome();
    const fork = await run.fork({ id: 'f', resume: true });
    await fork.outcome();
    await fork.send('go', 1);
    expect(await fork.result()).toBe(1);
    expect((await all(engine.runs({ parentId: 'f' }))).map(({ status }) => status)).toEqual(['cancelled']);
    expect((await all(engine.runs({ parentId: 'r' }))).map(({ status }) => status)).toEqual(['waiting']);
  });
});
