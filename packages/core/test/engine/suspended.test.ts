import { channel, graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, describeShared, gate, memoryPlace, turns } from './every-place.ts';
import { exported } from './exported.ts';

const none = z.object({});

const orders = graph('orders', {
  state: { paid: channel<boolean>(), log: list<string>() },
  asks: { pay: { show: z.string(), answer: z.boolean() } },
  receives: { hint: z.string() },
})
  .node('pack', () => ({ log: 'packed' }))
  .node('ask', async ({ ask }) => ({ paid: await ask('pay', 'Paid?') }))
  .node('ship', () => ({ log: 'shipped' }))
  .edge('start', 'pack')
  .edge('pack', 'ask')
  .edge('ask', 'ship')
  .edge('ship', 'end')
  .compile();

const napping = workflow('napping', { input: none }, async (_, { sleep }) => {
  await sleep('nap', '1h');
  return 'rested';
});

const listening = workflow('listening', { input: none, receives: { go: z.string() } }, (_, { receive }) =>
  receive('go'),
);

const parent = graph('parent', { state: { paid: channel<boolean>(), log: list<string>() } })
  .graph('order', orders, { in: () => ({}), out: ({ paid }) => ({ paid: paid === true, log: 'ordered' }) })
  .edge('start', 'order')
  .edge('order', 'end')
  .compile();

const graphs = [orders, napping, listening, parent];

describeEverywhere('a fork', (place) => {
  test('is suspended: reads tell so at once and start nothing', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(orders, {}, { id: 'r' });
    await run.outcome();
    const fork = await run.fork({ id: 'f' });
    const { head } = await fork.summary();
    expect(await fork.outcome()).toEqual({ status: 'suspended', state: { paid: undefined, log: ['packed'] } });
    await expect(fork.result()).rejects.toMatchObject({
      code: 'HOLDFAST_SUSPENDED',
      message: 'Run "f" is suspended: nobody executes it. Call resume() or answer() on it to continue.',
      details: { runId: 'f' },
    });
    expect((await all(fork.events({ until: 'idle' }))).at(-1)).toMatchObject({ type: 'wait' });
    expect((await all(fork.history()))[0]?.state.log).toEqual(['packed']);
    expect((await fork.state()).log).toEqual(['packed']);
    expect((await all(engine.asks())).map(({ runId }) => runId)).toEqual(['r']);
    expect(await all(engine.asks({ under: 'f' }))).toEqual([]);
    expect((await all(engine.runs({ status: 'suspended' }))).map(({ id }) => id)).toEqual(['f']);
    expect(await engine.recover()).toBe(0);
    expect(await fork.summary()).toMatchObject({ status: 'suspended', head });
  });

  test('is left alone by a worker', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(orders, {}, { id: 'r' });
    await run.outcome();
    const [, first] = await all(run.history());
    const fork = await run.fork({ id: 'f', at: first?.id });
    const stop = new AbortController();
    const working = engine.work({ signal: stop.signal }).done;
    const other = await engine.submit(listening, {}, { id: 'other' });
    expect(await other.outcome()).toMatchObject({ status: 'waiting' });
    stop.abort();
    await working;
    expect(await fork.outcome()).toMatchObject({ status: 'suspended', state: { log: [] } });
  });

  test('continues when it is resumed, and its questions are open then', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(orders, {}, { id: 'r' });
    await run.outcome();
    const fork = await (await run.fork({ id: 'f' })).resume();
    expect(await fork.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'pay' }] });
    expect((await all(engine.asks({ under: 'f' }))).map(({ runId }) => runId)).toEqual(['f']);
    await fork.answer('pay', true);
    expect(await fork.result()).toMatchObject({ log: ['packed', 'shipped'] });
  });

  test('continues when it is answered, also by a question that it has not asked yet', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(orders, {}, { id: 'r' });
    await run.outcome();
    const asked = await run.fork({ id: 'asked' });
    await asked.answer('pay', true);
    expect(await asked.result()).toMatchObject({ paid: true });
    const [, first] = await all(run.history());
    const early = await run.fork({ id: 'early', at: first?.id });
    await early.answer('pay', false);
    expect(await early.result()).toMatchObject({ paid: false, log: ['packed', 'shipped'] });
  });

  test('continues by an answer that it already has', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(orders, {}, { id: 'r' });
    await run.answer('pay', true);
    await run.result();
    const [, answered] = await all(run.history());
    const fork = await run.fork({ id: 'f', at: answered?.id });
    expect((await fork.outcome()).status).toBe('suspended');
    await fork.answer('pay', true);
    expect(await fork.result()).toMatchObject({ paid: true });
  });

  test('continues at once with resume: true, paused and sleeping ones too', async () => {
    const clock = virtualClock();
    const engine = await place().open({ graphs, clock });
    const run = await engine.start(orders, {}, { id: 'r', pauseBefore: ['ask'] });
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'pause' }] });
    const fork = await run.fork({ id: 'f', pauseBefore: [], resume: true });
    expect(await fork.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'pay' }] });
    const sleeper = await engine.start(napping, {}, { id: 's' });
    await expect.poll(async () => (await sleeper.summary()).waits).toEqual([{ kind: 'sleep', name: 'nap' }]);
    const nap = await sleeper.fork({ id: 'nap', resume: true });
    expect(await nap.summary()).toMatchObject({ status: 'waiting' });
    await clock.advance('1h');
    expect(await nap.result()).toBe('rested');
  });

  test('of a run that has completed is completed', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(orders, {}, { id: 'r' });
    await run.answer('pay', true);
    await run.result();
    expect((await (await run.fork({ id: 'f' })).outcome()).status).toBe('completed');
    expect((await (await run.fork({ id: 'g', resume: true })).outcome()).status).toBe('completed');
  });
});

describeShared('a run beside a worker', (place) => {
  test('forked with resume: true by an engine that does not execute is executed by a worker', async () => {
    const here = place();
    const engine = await here.open({ graphs });
    await (await engine.start(orders, {}, { id: 'r' })).outcome();
    const web = await here.open({ executes: false });
    const fork = await (await web.get(orders, 'r')).fork({ id: 'f', next: ['ship'], resume: true });
    expect(await fork.summary()).toMatchObject({ status: 'pending' });
    expect(await engine.recover()).toBe(1);
    expect(await fork.result()).toMatchObject({ log: ['packed', 'shipped'] });
  });

  test('that is answered where nothing is executed continues in a worker', async () => {
    const here = place();
    const engine = await here.open({ graphs });
    const run = await engine.start(orders, {}, { id: 'r' });
    await run.outcome();
    await run.fork({ id: 'f' });
    const web = await here.open({ executes: false });
    const fork = await web.get('f');
    await fork.answer('pay', true);
    expect(await fork.summary()).toMatchObject({ status: 'pending' });
    expect(await engine.recover()).toBe(1);
    expect(await fork.result()).toMatchObject({ paid: true });
  });
});

describeEverywhere('a suspended run', (place) => {
  test('keeps messages and stays suspended', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(listening, {}, { id: 'r' });
    await run.outcome();
    const fork = await run.fork({ id: 'f' });
    await fork.send('go', 'now');
    expect(await engine.recover()).toBe(0);
    expect((await fork.outcome()).status).toBe('suspended');
    await fork.resume();
    expect(await fork.result()).toBe('now');
  });

  test('keeps what became of an effect and stays suspended', async () => {
    const here = place();
    const begun = gate();
    const charging = workflow('charging', { input: none }, (_, { step }) =>
      step(
        'charge',
        async () => {
          begun.open();
          await new Promise(() => {});
          return 'never';
        },
        { effect: 'once' },
      ),
    );
    const first = await here.open();
    await first.start(charging, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const engine = await here.open({ graphs: [charging] });
    await engine.recover();
    const run = await engine.get(charging, 'r');
    const outcome = await run.outcome();
    const [effect] = outcome.status === 'waiting' ? outcome.waits : [];
    const fork = await run.fork({ id: 'f' });
    await fork.settle(effect?.kind === 'effect' ? effect.key : '', { result: 'paid' });
    expect((await fork.outcome()).status).toBe('suspended');
    await fork.resume();
    expect(await fork.result()).toBe('paid');
  });

  test('can be cancelled, and deleted', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(orders, {}, { id: 'r' });
    await run.outcome();
    const fork = await run.fork({ id: 'f' });
    await fork.cancel('not needed');
    expect(await fork.outcome()).toMatchObject({ status: 'cancelled', reason: 'not needed' });
    await run.fork({ id: 'g' });
    expect(await engine.delete('g')).toBe(true);
    expect(await all(engine.runs({ status: 'suspended' }))).toEqual([]);
  });

  test('takes a turn only when it is resumed', async () => {
    const engine = await place().open({ graphs });
    const run = await engine.start(listening, {}, { id: 'r' });
    await run.outcome();
    const fork = await run.fork({ id: 'f' });
    await engine.start(listening, {}, { id: 'f', turn: 'two' });
    expect((await fork.outcome()).status).toBe('suspended');
  });

  test('that was imported has suspended children, which continue with it', async () => {
    const from = await memoryPlace().open({ graphs });
    const source = await from.start(parent, {}, { id: 'p' });
    await source.outcome();
    const engine = await place().open({ graphs });
    await engine.import(await exported(from.export('p')));
    const run = await engine.get(parent, 'p');
    const [child] = await all(engine.runs({ parentId: 'p' }));
    expect(child).toMatchObject({ status: 'suspended', waits: [{ kind: 'ask', name: 'pay' }] });
    expect((await run.outcome()).status).toBe('suspended');
    expect(await all(engine.asks())).toEqual([]);
    await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'order/pay' }] });
    await run.answer('order/pay', true);
    expect(await run.result()).toMatchObject({ paid: true });
  });

  test('continues when a question of its inner graph is answered', async () => {
    const from = await memoryPlace().open({ graphs });
    await (await from.start(parent, {}, { id: 'p' })).outcome();
    const engine = await place().open({ graphs });
    await engine.import(await exported(from.export('p')));
    const run = await engine.get(parent, 'p');
    await run.answer('order/pay', true);
    expect(await run.result()).toMatchObject({ paid: true });
  });

  test('stays suspended when its child ends, and hears of it when it is resumed', async () => {
    const from = await memoryPlace().open({ graphs });
    await (await from.start(parent, {}, { id: 'p' })).outcome();
    const engine = await place().open({ graphs });
    await engine.import(await exported(from.export('p')));
    const run = await engine.get(parent, 'p');
    const [child] = await all(engine.runs({ parentId: 'p' }));
    const inner = await engine.get(orders, child?.id ?? '');
    await inner.answer('pay', true);
    await inner.result();
    await turns();
    expect(await engine.recover()).toBe(0);
    expect((await run.outcome()).status).toBe('suspended');
    await run.resume();
    expect(await run.result()).toMatchObject({ paid: true });
  });

  test('is cancelled with its children', async () => {
    const from = await memoryPlace().open({ graphs });
    await (await from.start(parent, {}, { id: 'p' })).outcome();
    const engine = await place().open({ graphs });
    await engine.import(await exported(from.export('p')));
    await (await engine.get('p')).cancel();
    expect((await all(engine.runs())).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });
});
