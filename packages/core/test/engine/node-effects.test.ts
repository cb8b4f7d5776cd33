// A node that does one thing: its own key, and effect: 'once' for the whole body.
import { channel, goto, graph, list, openEngine } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { all, describeEverywhere, gate, memoryPlace } from './every-place.ts';

interface Tries {
  readonly keys: string[];
  readonly begun: ReturnType<typeof gate>;
}

/** Charges; the first try never ends. */
function charging({ keys, begun }: Tries) {
  return graph('charging', { state: { receipt: channel<string>(), log: list<string>() } })
    .node(
      'charge',
      async ({ key, attempt }) => {
        keys.push(key);
        begun.open();
        if (keys.length === 1) await new Promise(() => {});
        return { receipt: `charged ${attempt}`, log: 'charged' };
      },
      { effect: 'once', retry: { attempts: 3, backoff: 0 }, timeout: '1h' },
    )
    .edge('start', 'charge')
    .edge('charge', 'end')
    .compile();
}

const newTries = (): Tries => ({ keys: [], begun: gate() });

describeEverywhere('a node with effect once that a crash cut off', (place) => {
  const outcomes = [
    { given: { result: { receipt: 'seen in the bank' } }, end: { receipt: 'seen in the bank', log: [] }, tries: 1 },
    { given: 'retry', end: { receipt: 'charged 1', log: ['charged'] }, tries: 2 },
  ] as const;

  test.each(outcomes)('waits until someone settles it with $given', async ({ given, end, tries }) => {
    const here = place();
    const { keys, begun } = newTries();
    const charge = charging({ keys, begun });
    const first = await here.open();
    await first.start(charge, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const second = await here.open({ graphs: [charge] });
    await second.recover();
    const run = await second.get(charge, 'r');
    expect(await run.outcome()).toMatchObject({
      status: 'waiting',
      waits: [{ kind: 'effect', name: 'charge', node: 'charge', key: keys[0] }],
    });
    expect((await run.summary()).waits).toMatchObject([{ kind: 'effect', name: 'charge' }]);
    expect(keys).toHaveLength(1);
    await run.settle(keys[0] as string, given);
    expect(await run.result()).toEqual(end);
    expect(keys).toHaveLength(tries);
    expect(new Set(keys).size).toBe(1);
    const types = (await all(run.events())).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('step'))).toEqual([]);
    expect(types.filter((type) => type.startsWith('wait'))).toEqual(['wait', 'wait-end']);
  });

  test('fails when it is settled with an error, and runs again after resume', async () => {
    const here = place();
    const { keys, begun } = newTries();
    const charge = charging({ keys, begun });
    const first = await here.open();
    await first.start(charge, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const second = await here.open({ graphs: [charge] });
    await second.recover();
    const run = await second.get(charge, 'r');
    await run.outcome();
    await run.settle(keys[0] as string, { error: 'not in the bank' });
    expect(await run.outcome()).toMatchObject({ status: 'failed', error: { code: 'HOLDFAST_NODE_FAILED' } });
    expect(keys).toHaveLength(1);
    expect(await run.resume().result()).toMatchObject({ receipt: 'charged 1' });
  });

  test('waits item by item in an each', async () => {
    const here = place();
    const begun = gate();
    const keys = new Map<number, string>();
    const many = graph('many', { state: { log: list<number>() } })
      .each(
        'pay',
        () => [1, 2, 3],
        async (item, { key }) => {
          keys.set(item, key);
          if (item === 2) {
            begun.open();
            await new Promise(() => {});
          }
          return { log: item };
        },
        { effect: 'once', concurrency: 1 },
      )
      .edge('start', 'pay')
      .edge('pay', 'end')
      .compile();
    const first = await here.open();
    await first.start(many, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const second = await here.open({ graphs: [many] });
    await second.recover();
    const run = await second.get(many, 'r');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'effect', name: 'pay', key: keys.get(2) }] });
    await run.settle(keys.get(2) as string, { result: { log: 20 } });
    expect(await run.result()).toEqual({ log: [1, 20, 3] });
    expect(new Set(keys.values()).size).toBe(3);
  });
});

describe('a node with effect once', () => {
  test('that timed out is of unknown outcome, however many attempts it has', async () => {
    const clock = virtualClock();
    const tries = newTries();
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(charging(tries), {});
    await tries.begun.opened;
    await clock.advance('2h');
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'effect' }] });
    expect(tries.keys).toHaveLength(1);
  });

  test('that threw is a known failure and may be tried again, with the same key', async () => {
    const keys: string[] = [];
    const flaky = graph('flaky', { state: { log: list<string>() } })
      .node(
        'charge',
        ({ key, attempt }) => {
          keys.push(key);
          if (attempt < 3) throw new Error('declined');
          return goto('after', { log: `paid ${attempt}` });
        },
        { effect: 'once', retry: { attempts: 3, backoff: 0 }, to: ['after'] },
      )
      .node('after', ({ key }) => void keys.push(key))
      .edge('start', 'charge')
      .edge('after', 'end')
      .compile();
    const run = await (await memoryPlace().open()).start(flaky, {});
    expect(await run.result()).toEqual({ log: ['paid 3'] });
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys).size).toBe(2);
    const errors = (await all(run.events())).filter(({ type }) => type === 'node-error');
    expect(errors).toMatchObject([
      { attempt: 1, willRetry: true },
      { attempt: 2, willRetry: true },
    ]);
  });

  test('whose result is no update is not tried again', async () => {
    let tries = 0;
    const odd = graph('odd', { state: { log: list<string>() } })
      .node(
        'charge',
        () => {
          tries += 1;
          return { other: 1 } as never;
        },
        { effect: 'once', retry: { attempts: 3, backoff: 0 } },
      )
      .edge('start', 'charge')
      .edge('charge', 'end')
      .compile();
    const run = await (await memoryPlace().open()).start(odd, {});
    expect(await run.outcome()).toMatchObject({ status: 'failed', error: { code: 'HOLDFAST_NODE_FAILED' } });
    expect(tries).toBe(1);
  });

  test('cannot take steps or wait', async () => {
    const nested = graph('nested', { state: { log: list<string>() } })
      .node('charge', async ({ step }) => ({ log: await step('inside', () => 'x') }), { effect: 'once' })
      .edge('start', 'charge')
      .edge('charge', 'end')
      .compile();
    await expect((await memoryPlace().open()).start(nested, {}).result()).rejects.toThrow(/runs as one step/);
  });

  test('must be repeatable or once, and is no option of an inner graph', () => {
    const base = graph('base', { state: { log: list<string>() } });
    const inner = base
      .node('a', () => ({ log: 'a' }))
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const odd = base
      .node('a', () => ({ log: 'a' }), { effect: 'twice' as never })
      .edge('start', 'a')
      .edge('a', 'end');
    expect(() => odd.compile()).toThrow(/"effect" must be/);
    const map = { in: () => ({}), out: () => ({}), effect: 'once' };
    const outer = base.graph('a', inner, map).edge('start', 'a').edge('a', 'end');
    expect(() => outer.compile()).toThrow(/no option "effect"/);
  });

  test('that is changed to a repeatable one is noticed while its outcome is unknown', async () => {
    const here = memoryPlace();
    const tries = newTries();
    const first = await here.open();
    await first.start(charging(tries), {}, { id: 'r' });
    await tries.begun.opened;
    await first.close();
    const changed = graph('charging', { state: { receipt: channel<string>(), log: list<string>() } })
      .node('charge', () => ({ receipt: 'again' }))
      .edge('start', 'charge')
      .edge('charge', 'end')
      .compile();
    await using second = await openEngine(here.store, { graphs: [changed] });
    await second.recover();
    await expect(second.get(changed, 'r').result()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED' });
  });
});
