import { type Engine, graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, gate, memoryPlace, turns } from './every-place.ts';

const none = z.object({});

/** Charges once; the first try never ends. */
function charging() {
  const begun = gate();
  const keys: string[] = [];
  const charge = workflow('charge', { input: none }, async (_, { step }) => {
    try {
      return await step(
        'charge',
        async ({ key, attempt }) => {
          keys.push(key);
          begun.open();
          if (keys.length === 1) await new Promise(() => {});
          return `charged ${attempt}`;
        },
        { effect: 'once' },
      );
    } catch (error) {
      return `failed: ${(error as Error).message}`;
    }
  });
  return { charge, begun, keys };
}

describeEverywhere('a once effect that a crash cut off', (place) => {
  const outcomes = [
    { given: { result: 'seen in the bank' }, result: 'seen in the bank', tries: 1 },
    { given: { error: 'not in the bank' }, result: 'failed: not in the bank', tries: 1 },
    { given: 'retry', result: 'charged 1', tries: 2 },
  ] as const;

  test.each(outcomes)('waits until somebody resolves it with $given', async ({ given, result, tries }) => {
    const { charge, begun, keys } = charging();
    const here = place();
    const first = await here.open();
    await first.start(charge, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const second = await here.open({ graphs: [charge] });
    expect(await second.recover()).toBe(1);
    const run = await second.get(charge, 'r');
    const outcome = await run.outcome();
    expect(outcome).toMatchObject({
      status: 'waiting',
      waits: [{ kind: 'effect', name: 'charge', key: keys[0] }],
    });
    await expect(run.settle('k0', given)).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    expect(keys).toHaveLength(1);
    await run.settle(keys[0] as string, given, { by: 'ada' });
    expect(await second.journal.tail('r', 1, { kind: 'settle' })).toMatchObject([{ payload: { by: 'ada' } }]);
    expect(await run.result()).toBe(result);
    expect(keys).toHaveLength(tries);
    expect(new Set(keys).size).toBe(1);
  });
});

describe('a once effect', () => {
  test('that timed out is of unknown outcome', async () => {
    const clock = virtualClock();
    const begun = gate();
    let tries = 0;
    const slow = workflow('slow', { input: none }, (_, { step }) =>
      step(
        'charge',
        async () => {
          tries += 1;
          begun.open();
          await new Promise(() => {});
        },
        { effect: 'once', timeout: '1s', retry: { attempts: 5 } },
      ),
    );
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(slow, {});
    await begun.opened;
    await clock.advance('2s');
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'effect' }] });
    expect(tries).toBe(1);
  });

  test('that threw is a known failure and may be tried again', async () => {
    let tries = 0;
    const flaky = workflow('flaky', { input: none }, (_, { step }) =>
      step(
        'charge',
        () => {
          tries += 1;
          if (tries < 3) throw new Error('declined');
          return tries;
        },
        { effect: 'once', retry: { attempts: 3, backoff: 0 } },
      ),
    );
    const engine = await memoryPlace().open();
    expect(await (await engine.start(flaky, {})).result()).toBe(3);
  });

  test('whose result cannot be stored is not tried again', async () => {
    let tries = 0;
    const unstorable: unknown = Symbol('x');
    const odd = workflow('odd', { input: none }, (_, { step }) =>
      step(
        'charge',
        () => {
          tries += 1;
          return unstorable;
        },
        { effect: 'once', retry: { attempts: 3, backoff: 0 } },
      ).then(() => 'ok'),
    );
    const engine = await memoryPlace().open();
    expect(await (await engine.start(odd, {})).outcome()).toMatchObject({ status: 'failed' });
    expect(tries).toBe(1);
  });

  test('of unknown outcome keeps being waited for when its node is tried again', async () => {
    const begun = gate();
    let tries = 0;
    const here = memoryPlace();
    const both = workflow(
      'both',
      { input: none, receives: { go: z.number() }, retry: { attempts: 3, backoff: 0 } },
      async (_input, { step, receive }) => {
        const charged = step(
          'charge',
          async () => {
            begun.open();
            await new Promise(() => {});
            return 'never';
          },
          { effect: 'once' },
        );
        const went = receive('go').then((n) => {
          tries += 1;
          if (n === 0) throw new Error('no');
        });
        return (await Promise.all([charged, went]))[0];
      },
    );
    const first = await here.open();
    await first.start(both, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const second = await here.open({ graphs: [both] });
    await second.recover();
    const run = await second.get(both, 'r');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'effect' }, { kind: 'receive' }] });
    await run.send('go', 0);
    const outcome = await run.outcome();
    if (outcome.status !== 'failed' && outcome.status !== 'waiting') throw new Error(outcome.status);
    expect(tries).toBeGreaterThan(0);
    await turns();
  });
});

/** A node that charges once, with a timeout and a catch. The first charge happens and never ends. */
function paying() {
  const begun = gate();
  const keys: string[] = [];
  const flow = graph('flow', { state: { log: list<string>() } })
    .node(
      'pays',
      async ({ step }) => {
        const paid = await step(
          'charge',
          async ({ key }) => {
            keys.push(key);
            begun.open();
            if (keys.length === 1) await new Promise(() => {});
            return 'charged';
          },
          { effect: 'once' },
        );
        return { log: paid };
      },
      { timeout: '1m', catch: (error) => ({ log: `caught ${error.message}` }) },
    )
    .edge('start', 'pays')
    .edge('pays', 'end')
    .compile();
  return { flow, begun, keys };
}

describeEverywhere('a once effect of unknown outcome in a node with a timeout and a catch', (place) => {
  const outcomes = [
    { given: { result: 'seen in the bank' }, log: 'seen in the bank', tries: 1 },
    { given: { error: 'not in the bank' }, log: 'caught Node pays failed: not in the bank', tries: 1 },
    { given: 'retry', log: 'charged', tries: 2 },
  ] as const;

  test.each(outcomes)(
    'waits until somebody settles it with $given: it is not forgotten',
    async ({ given, log, tries }) => {
      const clock = virtualClock();
      const { flow, begun, keys } = paying();
      const here = place();
      const first = await here.open({ clock });
      const run = await first.start(flow, {}, { id: 'r' });
      await begun.opened;
      await clock.advance('2m');
      const waits = [{ kind: 'effect', name: 'charge', node: 'pays', key: keys[0] }];
      expect(await run.outcome()).toMatchObject({ status: 'waiting', waits });
      await first.close();
      const second = await here.open({ clock, graphs: [flow] });
      const again = await second.get(flow, 'r');
      expect(await again.outcome()).toMatchObject({ status: 'waiting', waits });
      await again.settle(keys[0] as string, given);
      expect(await again.result()).toEqual({ log: [log] });
      expect(keys).toHaveLength(tries);
    },
  );

  test('is waited for although something else of the node has failed, before it is caught', async () => {
    const begun = gate();
    const flow = graph('flow', { state: { log: list<string>() }, receives: { go: z.number() } })
      .node(
        'pays',
        async ({ step, receive }) => {
          const charge = step(
            'charge',
            async () => {
              begun.open();
              await new Promise(() => {});
            },
            { effect: 'once', timeout: '1m' },
          );
          await receive('go');
          await Promise.all([charge, step('ship', () => Promise.reject(new Error('no truck')))]);
        },
        { catch: (error) => ({ log: `caught ${error.message}` }) },
      )
      .edge('start', 'pays')
      .edge('pays', 'end')
      .compile();
    const clock = virtualClock();
    const engine = await place().open({ clock });
    const run = await engine.start(flow, {}, { id: 'r' });
    await begun.opened;
    await clock.advance('2m');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive' }, { kind: 'effect' }] });
    await run.send('go', 1);
    const outcome = await run.outcome();
    expect(outcome).toMatchObject({ status: 'waiting', waits: [{ kind: 'effect' }] });
    const { head } = await run.summary();
    const key = outcome.status === 'waiting' && outcome.waits[0]?.kind === 'effect' ? outcome.waits[0].key : '';
    expect((await run.summary()).head).toBe(head);
    await run.settle(key, { result: 'done' });
    expect(await run.result()).toEqual({ log: ['caught Step ship failed: no truck'] });
  });
});

describe('a repeatable effect', () => {
  test('runs again with the same key after a crash, and not once its result is in the journal', async () => {
    const here = memoryPlace();
    const begun = gate();
    const log: string[] = [];
    const two = workflow('two', { input: none }, async (_, { step }) => {
      await step('a', ({ key }) => void log.push(`a ${key}`));
      await step('b', async ({ key }) => {
        log.push(`b ${key}`);
        begun.open();
        if (log.filter((line) => line.startsWith('b')).length === 1) await new Promise(() => {});
      });
      return log.length;
    });
    const first = await here.open();
    await first.start(two, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const second = await here.open();
    expect(await (await second.start(two, {}, { id: 'r' })).result()).toBe(3);
    expect(log[1]).toBe(log[2]);
  });
});

describeEverywhere('a result that is put aside', (place) => {
  test('is kept by a clean close in the same turn', async () => {
    const calls: number[] = [];
    const closing = gate();
    let first: Engine | undefined;
    const pay = workflow('pay', { input: none }, async (_, { step }) => {
      const paid = await step('pay', () => calls.push(1));
      if (calls.length === 1) {
        void first?.close().then(closing.open);
        await new Promise(() => {});
      }
      return paid;
    });
    const here = place();
    // On this clock closing takes no time at all: nothing is written by itself before it is over.
    first = await here.open({ clock: virtualClock() });
    await first.start(pay, {}, { id: 'r' });
    await closing.opened;
    // The step is not done again, and so does not tell this try from the one before.
    calls.push(1);
    const second = await here.open({ graphs: [pay] });
    expect(await second.recover()).toBe(1);
    expect(await (await second.get(pay, 'r')).result()).toBe(1);
    expect(calls).toHaveLength(2);
  });
});
