import { graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, gate, memoryPlace, turns } from './every-place.ts';

const none = z.object({});
const yesNo = { show: z.string(), answer: z.boolean() };

describeEverywhere('a run that waits', (place) => {
  test('is answered in another process and continues there', async () => {
    const approval = workflow('approval', { input: none, asks: { ok: yesNo } }, async (_, { ask, step }) => {
      const before = await step('prepare', () => 'prepared');
      return [before, await ask('ok', 'Shall I?')];
    });
    const here = place();
    const first = await here.open();
    const run = await first.start(approval, {}, { id: 'r' });
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'ask', show: 'Shall I?' }] });
    expect(await all(first.asks())).toMatchObject([
      { runId: 'r', name: 'ok', show: 'Shall I?', answerSchema: { type: 'boolean' } },
    ]);
    await first.close();
    const second = await here.open();
    const again = await second.get(approval, 'r');
    await again.answer('ok', true, { by: 'ada' });
    expect(await again.outcome()).toMatchObject({ status: 'completed', output: ['prepared', true] });
    const ends = (await all(again.events())).filter(({ type }) => type === 'wait-end');
    expect(ends).toMatchObject([{ how: 'done', by: 'ada' }]);
  });

  test('sleeps in the store: recover wakes it in another process', async () => {
    const nap = workflow('nap', { input: none }, async (_, { sleep }) => {
      await sleep('nap', '1h');
      return 'awake';
    });
    const clock = virtualClock();
    const here = place();
    const first = await here.open({ clock });
    await first.start(nap, {}, { id: 'r' });
    while ((await (await first.get('r')).summary()).status !== 'waiting') await turns();
    await first.close();
    const second = await here.open({ clock, graphs: [nap] });
    await second.recover();
    const run = await second.get('r');
    expect(await run.summary()).toMatchObject({ status: 'waiting' });
    await clock.advance('1h');
    await expect.poll(async () => (await run.summary()).status).toBe('completed');
  });

  test('takes an answer that came before the question, and a crash after that does not park it for ever', async () => {
    const asked = gate();
    const early = workflow('early', { input: none, asks: { ok: yesNo } }, async (_, { ask, step }) => {
      const ok = await ask('ok', 'early?');
      await step('after', async () => {
        asked.open();
        if (isFirst) await new Promise(() => {});
      });
      return ok;
    });
    let isFirst = true;
    const here = place();
    const first = await here.open({ graphs: [early] });
    const run = await first.submit(early, {}, { id: 'r' });
    await run.answer('ok', true);
    await first.recover();
    await asked.opened;
    await first.close();
    isFirst = false;
    const second = await here.open({ graphs: [early] });
    expect(await second.recover()).toBe(1);
    expect(await (await second.get(early, 'r')).result()).toBe(true);
  });
});

describe('waits', () => {
  test('raised together are all recorded, and answered in any order', async () => {
    const both = workflow('both', { input: none, asks: { a: yesNo, b: yesNo }, receives: { c: z.number() } }, (_, c) =>
      Promise.all([c.ask('a', 'A'), c.ask('b', 'B'), c.receive('c')]),
    );
    const engine = await memoryPlace().open();
    const run = await engine.start(both, {});
    expect((await run.outcome()) as object).toMatchObject({ waits: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    await run.answer('b', false);
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'a' }, { name: 'c' }] });
    await run.send('c', 3);
    await run.answer('a', true);
    expect(await run.result()).toEqual([true, false, 3]);
  });

  test('an ask gives undefined when nobody answered in time, and the question is withdrawn', async () => {
    const clock = virtualClock();
    const patient = workflow('patient', { input: none, asks: { ok: yesNo } }, async (_, { ask }) => {
      return (await ask('ok', 'q', { timeout: '2s' })) ?? 'nobody';
    });
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(patient, {});
    expect(await run.outcome()).toMatchObject({ waits: [{ until: new Date(clock.now() + 2000) }] });
    const result = run.result();
    await clock.advance('3s');
    expect(await result).toBe('nobody');
    expect((await all(run.events())).filter(({ type }) => type === 'wait-end')).toMatchObject([{ how: 'timeout' }]);
    await expect(run.answer('ok', true)).rejects.toMatchObject({ code: 'HOLDFAST_QUESTION_CLOSED' });
  });

  test('a race is won by the same branch whenever the body runs again', async () => {
    const winners: string[] = [];
    const slow = gate();
    const race = workflow('race', { input: none, receives: { go: z.number() } }, async (_, { step, receive }) => {
      const won = await Promise.race([
        step('slow', () => (isFirst ? slow.opened.then(() => 'slow') : 'slow')),
        (async () => {
          const value = await step('fast', () => 'fast');
          await Promise.resolve();
          return step('faster', () => `${value}er`);
        })(),
      ]);
      winners.push(won);
      isFirst = false;
      slow.open();
      await receive('go');
      return won;
    });
    let isFirst = true;
    const engine = await memoryPlace().open();
    const run = await engine.start(race, {});
    await run.outcome();
    await run.send('go', 1);
    expect(await run.result()).toBe('faster');
    expect(new Set(winners)).toEqual(new Set(['faster']));
    expect(winners.length).toBeGreaterThan(1);
  });

  test('a race replays what was recorded before it runs what was not', async () => {
    const here = memoryPlace();
    const reached = gate();
    let isFirst = true;
    const race = workflow('race', { input: none }, async (_, { step }) => {
      const won = await Promise.race([
        step('slow', () => (isFirst ? new Promise<string>(() => {}) : 'slow')),
        step('fast', () => 'fast'),
      ]);
      await step('then', () => {
        reached.open();
        return isFirst ? new Promise<string>(() => {}) : won;
      });
      return won;
    });
    const first = await here.open();
    await first.start(race, {}, { id: 'r' });
    await reached.opened;
    await first.close();
    isFirst = false;
    const second = await here.open();
    expect(await (await second.start(race, {}, { id: 'r' })).result()).toBe('fast');
  });

  test('a once effect and a repeatable one that end together settle in the order of the journal', async () => {
    const order: string[] = [];
    const both = workflow('both', { input: none, receives: { go: z.number() } }, async (_, { step, receive }) => {
      const note = (name: string) => (value: string) => void order.push(`${name} ${value}`);
      await Promise.all([
        step('once', async () => 'a', { effect: 'once' }).then(note('once')),
        step('again', async () => 'b').then(note('again')),
      ]);
      order.push('|');
      await receive('go');
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(both, {});
    await run.outcome();
    await run.send('go', 1);
    await run.result();
    const [first, second] = order.join(',').split(',|,');
    expect(second?.split(',|')[0]).toBe(first);
  });

  test('a task that parks does not run finally', async () => {
    const log: string[] = [];
    const tidy = workflow('tidy', { input: none, receives: { go: z.number() } }, async (_, { receive }) => {
      try {
        await receive('go');
        log.push('received');
      } catch {
        log.push('caught');
      } finally {
        log.push('finally');
      }
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(tidy, {});
    await run.outcome();
    expect(log).toEqual([]);
    await run.send('go', 1);
    await run.result();
    expect(log).toEqual(['received', 'finally']);
  });

  test('a call inside a step is an error that says so', async () => {
    const nested = workflow('nested', { input: none, asks: { ok: yesNo } }, (_, { step, ask }) =>
      step('outer', () => ask('ok', 'q')),
    );
    const engine = await memoryPlace().open();
    const outcome = await (await engine.start(nested, {})).outcome();
    if (outcome.status !== 'failed') throw new Error(outcome.status);
    expect(outcome.error).toMatchObject({ code: 'HOLDFAST_NESTED_CALL' });
  });
});

describe('an each without items', () => {
  test('beside a node that waits lets the run park', async () => {
    const beside = graph('beside', { state: { log: list<string>() }, receives: { go: z.number() } })
      .each(
        'none',
        () => [],
        () => ({}),
      )
      .node('waits', async ({ receive }) => ({ log: `got ${await receive('go')}` }))
      .edge('start', ['none', 'waits'])
      .edge(['none', 'waits'], 'end')
      .compile();
    const engine = await memoryPlace().open();
    const run = await engine.start(beside, {});
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    expect((await all(run.events({ until: 'idle' }))).map(({ type }) => type)).toEqual(['turn', 'wait']);
    await run.send('go', 1);
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { log: ['got 1'] } });
  });
});
