// The short forms of sleep, and receive with several names.
import { graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const none = z.object({});
const receives = { paid: z.object({ ref: z.string() }), cancelled: z.string() };

describeEverywhere('sleep()', (place) => {
  test('needs no name, and takes a duration or a date', async () => {
    const clock = virtualClock();
    const began = clock.now();
    const naps = workflow('naps', { input: none }, async (_, { sleep, step }) => {
      await sleep('1h');
      const first = await step('first', () => clock.now());
      await sleep(new Date(began + 3 * 3_600_000));
      const second = await step('second', () => clock.now());
      await sleep('until six', new Date(began + 6 * 3_600_000));
      return [first, second, clock.now()].map((at) => Math.round((at - began) / 3_600_000));
    });
    const run = await (await place().open({ clock })).start(naps, {});
    await clock.advance('7h');
    expect(await run.result()).toEqual([1, 3, 6]);
  });

  test('that has passed already ends at once', async () => {
    const past = workflow('past', { input: none }, async (_, { sleep }) => {
      await sleep(new Date(0));
      return 'woken';
    });
    expect(await (await place().open()).start(past, {}).result()).toBe('woken');
  });

  test('without a name is called sleep in what the run waits for', async () => {
    const naps = workflow('naps', { input: none }, async (_, { sleep }) => sleep('1h'));
    const engine = await place().open({ clock: virtualClock() });
    const run = await engine.start(naps, {});
    for await (const event of run.events()) if (event.type === 'wait') break;
    expect(await run.summary()).toMatchObject({ waits: [{ kind: 'sleep', name: 'sleep' }] });
  });

  test.each([
    [['nap'], /needs a duration or a Date/],
    [[new Date(Number.NaN)], /This Date is invalid/],
    [['.nap', '1s'], /is not a valid name/],
    [['nap', 'soon'], /Invalid duration: "soon"/],
  ] as const)('refuses %j', async (given, message) => {
    const naps = workflow('naps', { input: none }, async (_, { sleep }) =>
      (sleep as (...any: readonly unknown[]) => Promise<void>)(...given),
    );
    await expect((await place().open()).start(naps, {}).result()).rejects.toThrow(message);
  });
});

/** A graph that receives one of these messages; from version 2 on with two of them changed. */
const version = (now: number, names: readonly string[]) =>
  graph('flow', {
    state: { log: list<string>() },
    receives: Object.fromEntries(names.map((name) => [name, z.string()])),
    version: now,
    ...(now > 1 && { migrate: { 1: { steps: { paid: 'settled', lost: null } } } }),
  })
    .node('a', async ({ receive, sleep }) => {
      const { name, value } = await receive(names);
      await sleep(0);
      return { log: `${name} ${value}` };
    })
    .edge('start', 'a')
    .edge('a', 'end')
    .compile();

describeEverywhere('receive() with several names', (place) => {
  const order = workflow('order', { input: none, receives }, async (_, { receive, step }) => {
    const message = await receive(['paid', 'cancelled']);
    if (message.name === 'paid') return step('ship', () => `shipped ${message.value.ref}`);
    return message.value.toUpperCase();
  });

  test('returns the message with its name', async () => {
    const engine = await place().open();
    const paid = await engine.start(order, {}, { id: 'a' });
    await paid.outcome();
    await paid.send('paid', { ref: 'r1' });
    expect(await paid.result()).toBe('shipped r1');
    const cancelled = await engine.start(order, {}, { id: 'b' });
    await cancelled.send('cancelled', 'no');
    expect(await cancelled.result()).toBe('NO');
  });

  test('takes the oldest first, whatever the order of the names', async () => {
    const both = workflow('both', { input: none, receives }, async (_, { receive }) => [
      await receive(['paid', 'cancelled']),
      await receive(['paid', 'cancelled']),
      await receive(['cancelled']),
    ]);
    const run = await (await place().open()).start(both, {});
    await run.send('cancelled', 'first');
    await run.send('paid', { ref: 'second' });
    await run.send('cancelled', 'third');
    expect(await run.result()).toEqual([
      { name: 'cancelled', value: 'first' },
      { name: 'paid', value: { ref: 'second' } },
      { name: 'cancelled', value: 'third' },
    ]);
  });

  test('returns the same message when the body runs again in another process', async () => {
    const asking = workflow('asking', { input: none, receives, asks: { go: z.boolean() } }, async (_, context) => {
      const message = await context.receive(['paid', 'cancelled']);
      await context.ask('go');
      return message;
    });
    const { open } = place();
    const first = await open({ graphs: [asking] });
    const run = await first.start(asking, {}, { id: 'r' });
    await run.outcome();
    await run.send('cancelled', 'no');
    await run.outcome();
    await first.close();
    const engine = await open({ graphs: [asking] });
    await engine.get(asking, 'r').answer('go', true);
    await engine.recover();
    expect(await engine.get(asking, 'r').result()).toEqual({ name: 'cancelled', value: 'no' });
  });

  test('gives undefined when none came in time, and tells of each message it waits for', async () => {
    const clock = virtualClock();
    const late = workflow('late', { input: none, receives }, async (_, { receive }) => {
      const message = await receive(['paid', 'cancelled'], { timeout: '1h' });
      return message === undefined ? 'too late' : message.name;
    });
    const engine = await place().open({ clock });
    const run = await engine.start(late, {});
    const outcome = await run.outcome();
    expect(outcome.status === 'waiting' && outcome.waits).toMatchObject([
      { kind: 'receive', name: 'paid' },
      { kind: 'receive', name: 'cancelled' },
    ]);
    expect(await run.summary()).toMatchObject({
      waits: [
        { kind: 'receive', name: 'paid' },
        { kind: 'receive', name: 'cancelled' },
      ],
    });
    await clock.advance('2h');
    expect(await run.result()).toBe('too late');
    const waits = (await all(run.events())).flatMap((event) => (event.type === 'wait' ? [event.wait] : []));
    expect(waits).toMatchObject([{ name: 'paid' }, { name: 'cancelled' }]);
  });

  test.each([
    [[], /would wait forever/],
    [['refunded'], /no message named "refunded"/],
  ])('refuses %j', async (names, message) => {
    const odd = workflow('odd', { input: none, receives }, async (_, { receive }) => receive(names as ['paid']));
    await expect((await place().open()).start(odd, {}).result()).rejects.toThrow(message);
  });

  test('follows messages that a migration renames or drops', async () => {
    const { open } = place();
    const before = version(1, ['paid', 'lost', 'cancelled']);
    const first = await open({ graphs: [before] });
    await (await first.start(before, {}, { id: 'r' })).outcome();
    await first.close();
    const after = version(2, ['settled', 'cancelled']);
    const engine = await open({ graphs: [after] });
    const run = await engine.get(after, 'r');
    // Told under its old name, the run migrates and finds its wait under the new ones.
    await run.send('cancelled', 'all');
    await engine.recover();
    expect(await run.result()).toEqual({ log: ['cancelled all'] });
  });
});
