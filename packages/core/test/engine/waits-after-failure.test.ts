import { type Engine, graph, list, type Run, workflow } from 'holdfast';
import { type VirtualClock, virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, gate, memoryPlace, turns } from './every-place.ts';

const none = z.object({});
const asks = { ok: { show: z.string(), answer: z.string() } };
const receives = { go: z.string() };
const never = (): Promise<string> => new Promise(() => {});

const inner = workflow('inner', { input: none, receives }, (_, { receive }) => receive('go'));

/** A first try that fails, a second that waits for `kind`, and how often the body ran. */
function failsThenWaits(kind: string) {
  const tries: number[] = [];
  const charged = gate();
  const flow = workflow(
    'second',
    { input: none, asks, receives, retry: { attempts: 3, backoff: 0 } },
    async (_, { attempt, ask, receive, child, sleep, step }) => {
      tries.push(attempt);
      if (attempt === 1) throw new Error('the first try');
      switch (kind) {
        case 'ask':
          return ask('ok', '?');
        case 'receive':
          return receive('go');
        case 'child':
          return child('inner', inner, {});
        case 'sleep':
          await sleep('nap', '10s');
          return 'yes';
        case 'effect':
          return step(
            'charge',
            () => {
              charged.open();
              return never();
            },
            { effect: 'once', timeout: '1s' },
          );
        default:
          return step<string>('call', (call) => (call.attempt === 1 ? Promise.reject(new Error('busy')) : 'yes'), {
            retry: { attempts: 2, backoff: '10s' },
          });
      }
    },
  );
  return { flow, tries, charged: charged.opened };
}

interface Waiting {
  readonly run: Run;
  readonly engine: Engine;
  readonly clock: VirtualClock;
}

const ends: Readonly<Record<string, (waiting: Waiting) => Promise<unknown>>> = {
  ask: ({ run }) => run.answer('ok' as never, 'yes'),
  receive: ({ run }) => run.send('go' as never, 'yes'),
  child: async ({ run, engine }) => (await engine.get(inner, (await waitOf(run)).childId)).send('go', 'yes'),
  sleep: ({ clock }) => clock.advance('12s'),
  effect: async ({ run }) => run.settle((await waitOf(run)).key, { result: 'yes' }),
  backoff: ({ clock }) => clock.advance('12s'),
};

async function waitOf(run: Run): Promise<{ readonly key: string; readonly childId: string }> {
  const outcome = await run.outcome();
  return (outcome.status === 'waiting' ? outcome.waits[0] : undefined) as never;
}

async function untilWaiting(run: Run): Promise<void> {
  while ((await run.summary()).status !== 'waiting') await turns();
}

async function headOf(engine: Engine, { id }: Run): Promise<number> {
  return (await all(engine.journal.read(id))).length;
}

describeEverywhere('a run whose second try waits', (place) => {
  test.each(Object.entries(ends))('for its %s stands still, and continues when that ends', async (kind, end) => {
    const { flow, tries, charged } = failsThenWaits(kind);
    const clock = virtualClock();
    const engine = await place().open({ clock, graphs: [flow, inner] });
    const run = (await engine.start(flow, {})) as unknown as Run;
    while (tries.length < 2) await turns();
    if (kind === 'effect') await charged.then(() => clock.advance('2s'));
    await untilWaiting(run);
    const head = await headOf(engine, run);
    await clock.advance('4s');
    await turns();
    expect(tries).toEqual([1, 2]);
    expect(await headOf(engine, run)).toBe(head);
    await end({ run, engine, clock });
    await expect.poll(() => run.outcome()).toMatchObject({ status: 'completed', output: 'yes' });
    expect(tries).toEqual([1, 2, 2]);
  });

  test('can be cancelled', async () => {
    const { flow } = failsThenWaits('ask');
    const engine = await place().open();
    const run = await engine.start(flow, {});
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'ask' }] });
    await run.cancel('enough');
    expect(await run.outcome()).toMatchObject({ status: 'cancelled' });
  });

  test('is found waiting by another process, with nothing to do', async () => {
    const { flow, tries } = failsThenWaits('ask');
    const here = place();
    const first = await here.open();
    const { id } = await first.start(flow, {});
    await (await first.get(id)).outcome();
    await first.close();
    const second = await here.open({ graphs: [flow] });
    expect(await second.recover()).toBe(0);
    expect(tries).toEqual([1, 2]);
    const run = await second.get(flow, id);
    await run.answer('ok', 'yes');
    expect(await run.result()).toBe('yes');
  });

  test('for an effect that its timeout cut off stands still until somebody resolves it', async () => {
    const clock = virtualClock();
    let charges = 0;
    let bodies = 0;
    const charge = (): Promise<string> | string => {
      charges += 1;
      return charges === 1 ? never() : 'charged';
    };
    const pay = graph('pay', { state: { log: list<string>() } })
      .node(
        'pay',
        async ({ step }) => {
          bodies += 1;
          return { log: await step('charge', charge, { effect: 'once' }) };
        },
        { timeout: '1s', retry: { attempts: 3, backoff: 0 } },
      )
      .edge('start', 'pay')
      .edge('pay', 'end')
      .compile();
    const engine = await place().open({ clock });
    const run = await engine.start(pay, {});
    while (charges < 1) await turns();
    await clock.advance('2s');
    const outcome = await run.outcome();
    expect(outcome).toMatchObject({ status: 'waiting', waits: [{ kind: 'effect', name: 'charge' }] });
    const head = await headOf(engine, run as unknown as Run);
    await clock.advance('10s');
    await turns();
    expect(await headOf(engine, run as unknown as Run)).toBe(head);
    expect({ bodies, charges }).toEqual({ bodies: 2, charges: 1 });
    await run.settle((await waitOf(run as unknown as Run)).key, 'retry');
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { log: ['charged'] } });
    expect({ bodies, charges }).toEqual({ bodies: 3, charges: 2 });
  });
});

/** A step that fails in the first try of its node, beside something that ends the try. */
function leavesBackoff(second: 'makes the call' | 'does not') {
  const tries: number[] = [];
  const flow = workflow(
    'leaves',
    { input: none, receives, retry: { attempts: 2, backoff: 0 } },
    async (_, { attempt, step, receive }) => {
      tries.push(attempt);
      const call = (): Promise<string> =>
        step('call', (info) => (info.attempt === 1 ? Promise.reject(new Error('busy')) : 'yes'), {
          retry: { attempts: 2, backoff: '1h' },
        });
      if (attempt === 1) {
        const failed = step('other', () => turns()).then(() => Promise.reject(new Error('the first try')));
        await Promise.all([call(), failed]);
      }
      return second === 'makes the call' ? call() : receive('go');
    },
  );
  return { flow, tries };
}

describe('the next try of a step', () => {
  test('is waited for by the next try of its node too', async () => {
    const { flow, tries } = leavesBackoff('makes the call');
    const clock = virtualClock();
    const engine = await memoryPlace().open({ clock });
    const run = (await engine.start(flow, {})) as unknown as Run;
    while (tries.length < 2) await turns();
    await untilWaiting(run);
    await turns();
    expect(tries).toEqual([1, 2]);
    await clock.advance('2h');
    expect(await run.outcome()).toMatchObject({ status: 'completed', output: 'yes' });
    expect(tries).toEqual([1, 2, 2]);
  });

  test('is given up when its time has come and its node no longer makes the call', async () => {
    const { flow, tries } = leavesBackoff('does not');
    const clock = virtualClock();
    const engine = await memoryPlace().open({ clock });
    const run = (await engine.start(flow, {})) as unknown as Run;
    await untilWaiting(run);
    await clock.advance('2h');
    await untilWaiting(run);
    const head = await headOf(engine, run);
    await clock.advance('2h');
    expect(await headOf(engine, run)).toBe(head);
    expect(tries).toEqual([1, 2, 2]);
    await run.send('go' as never, 'yes');
    expect(await run.outcome()).toMatchObject({ status: 'completed', output: 'yes' });
  });
});

describe('a sleep', () => {
  test('ends in time beside a sibling in its second try', async () => {
    const clock = virtualClock();
    const startedAt = clock.now();
    const sibling = gate();
    const pair = graph('pair', { state: { log: list<string>() } })
      .node(
        'long',
        async ({ attempt }) => {
          if (attempt === 1) throw new Error('the first try');
          await sibling.opened;
          return { log: 'long' };
        },
        { retry: { attempts: 2, backoff: 0 } },
      )
      .node('short', async ({ sleep }) => {
        await sleep('nap', '1h');
        sibling.open();
        return { log: `after ${clock.now() - startedAt} ms` };
      })
      .edge('start', ['long', 'short'])
      .edge(['long', 'short'], 'end')
      .compile();
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(pair, {});
    await clock.advance('2h');
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { log: ['long', 'after 3600000 ms'] } });
  });
});
