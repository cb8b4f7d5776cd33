import { channel, counter, graph, HoldfastError, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, memoryPlace, turns } from './every-place.ts';

const once = z.object({});

describeEverywhere('a node that fails', (place) => {
  test('is tried again after its backoff, also by the next process', async () => {
    const clock = virtualClock();
    let tries = 0;
    const flaky = graph('flaky', { state: { log: list<string>() } })
      .node(
        'call',
        ({ attempt }) => {
          tries += 1;
          if (attempt < 3) throw new Error(`try ${attempt}`);
          return { log: `attempt ${attempt}` };
        },
        { retry: { attempts: 3, backoff: '1s', factor: 2 } },
      )
      .edge('start', 'call')
      .edge('call', 'end')
      .compile();
    const here = place();
    const first = await here.open({ clock, graphs: [flaky] });
    const run = await first.start(flaky, {}, { id: 'r' });
    while ((await run.summary()).status !== 'waiting') await turns();
    expect(tries).toBe(1);
    await first.close();
    const second = await here.open({ clock, graphs: [flaky] });
    await second.recover();
    await turns();
    expect(tries).toBe(1);
    const again = await second.get(flaky, 'r');
    const ended = again.outcome();
    while ((await again.summary()).status !== 'completed') await clock.advance('1s');
    expect(await ended).toMatchObject({ status: 'completed', state: { log: ['attempt 3'] } });
    expect(tries).toBe(3);
  });

  test('keeps what its siblings have done, and resume runs only itself again', async () => {
    let runs = 0;
    let isBroken = true;
    const pair = graph('pair', { state: { log: list<string>() } })
      .node('good', () => {
        runs += 1;
        return { log: 'good' };
      })
      .node('bad', async () => {
        if (isBroken) throw new TypeError('no', { cause: new RangeError('deep', { cause: 'text' }) });
        return { log: 'bad' };
      })
      .edge('start', ['good', 'bad'])
      .edge(['good', 'bad'], 'end')
      .compile();
    const here = place();
    const first = await here.open();
    const outcome = await (await first.start(pair, {}, { id: 'r' })).outcome();
    if (outcome.status !== 'failed') throw new Error(outcome.status);
    const { error } = outcome;
    expect(error).toMatchObject({ code: 'HOLDFAST_NODE_FAILED', details: { runId: 'r', node: 'bad' } });
    expect(HoldfastError.is(error)).toBe(true);
    expect(error.cause).toMatchObject({ name: 'TypeError', message: 'no' });
    expect((error.cause as Error).cause).toMatchObject({ name: 'RangeError', message: 'deep' });
    expect(outcome.state.log).toEqual([]);
    await first.close();
    isBroken = false;
    const second = await here.open();
    const run = await second.get(pair, 'r');
    expect(await (await run.resume()).outcome()).toMatchObject({ state: { log: ['good', 'bad'] } });
    expect(runs).toBe(1);
  });
});

describe('a failure', () => {
  test('waits for the siblings, and those that waited ask again after resume', async () => {
    let isBroken = true;
    const pair = workflowPair(() => isBroken);
    const engine = await memoryPlace().open();
    const run = await engine.start(pair, {}, { id: 'r' });
    expect(await run.outcome()).toMatchObject({ status: 'failed' });
    isBroken = false;
    await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'receive', name: 'go' }] });
    await run.send('go', 7);
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { sum: 8 } });
  });

  test('that retry.on calls permanent is not tried again', async () => {
    let tries = 0;
    const strict = graph('strict', { state: { n: counter() } })
      .node(
        'call',
        () => {
          tries += 1;
          throw new Error('never');
        },
        { retry: { attempts: 5, on: (error) => !(error instanceof Error && error.message === 'never') } },
      )
      .edge('start', 'call')
      .edge('call', 'end')
      .compile();
    const engine = await memoryPlace().open();
    expect(await (await engine.start(strict, {})).outcome()).toMatchObject({ status: 'failed' });
    expect(tries).toBe(1);
  });

  test('of the last try is given to catch, whose result stands for the node', async () => {
    const caught = graph('caught', { state: { text: channel<string>() } })
      .node(
        'call',
        () => {
          throw new Error('out of order');
        },
        {
          retry: { attempts: 2, backoff: 0 },
          catch: (error) => ({ text: `${error.code}: ${(error.cause as Error).message}` }),
        },
      )
      .edge('start', 'call')
      .edge('call', 'end')
      .compile();
    const engine = await memoryPlace().open();
    const run = await engine.start(caught, {});
    expect(await run.outcome()).toMatchObject({
      status: 'completed',
      state: { text: 'HOLDFAST_NODE_FAILED: out of order' },
    });
    const errors = (await all(run.events())).filter(({ type }) => type === 'node-error');
    expect(errors).toMatchObject([
      { attempt: 1, willRetry: true },
      { attempt: 2, willRetry: false },
    ]);
  });

  test('inside catch fails the run', async () => {
    const caught = graph('caught', { state: { n: counter() } })
      .node(
        'call',
        () => {
          throw new Error('first');
        },
        {
          catch: () => {
            throw new Error('second');
          },
        },
      )
      .edge('start', 'call')
      .edge('call', 'end')
      .compile();
    const engine = await memoryPlace().open();
    const outcome = await (await engine.start(caught, {})).outcome();
    expect(outcome).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('second') } });
  });

  test('of a step for good rejects the same way until resume', async () => {
    let charges = 0;
    const seen: string[] = [];
    const saga = workflow('saga', { input: once, receives: { go: z.number() } }, async (_, { step, receive }) => {
      try {
        await step('charge', () => {
          charges += 1;
          throw new Error('declined');
        });
      } catch (error) {
        seen.push(String(error));
      }
      await receive('go');
      return seen.length;
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(saga, {});
    await run.outcome();
    await run.send('go', 1);
    await run.result();
    expect(charges).toBe(1);
    expect(new Set(seen).size).toBe(1);
    expect(seen).toHaveLength(2);
  });

  test('of a value that no channel takes commits nothing of the step', async () => {
    const typed = graph('typed', { state: { age: z.number().default(1), log: list<string>() } })
      .node('a', () => ({ log: 'a' }))
      .node('b', () => ({ age: 'old' }) as never)
      .edge('start', ['a', 'b'])
      .edge(['a', 'b'], 'end')
      .compile();
    const engine = await memoryPlace().open();
    const outcome = await (await engine.start(typed, {})).outcome();
    expect(outcome).toMatchObject({ status: 'failed', state: { age: 1, log: [] } });
  });
});

function workflowPair(isBroken: () => boolean) {
  return graph('pair', { state: { sum: counter() }, receives: { go: z.number() } })
    .node('waits', async ({ receive }) => ({ sum: await receive('go') }))
    .node('bad', async () => {
      await turns(5);
      if (isBroken()) throw new Error('no');
      return { sum: 1 };
    })
    .edge('start', ['waits', 'bad'])
    .edge(['waits', 'bad'], 'end')
    .compile();
}
