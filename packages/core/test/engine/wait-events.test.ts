import { graph, list, type RunEvent, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, memoryPlace } from './every-place.ts';

/** The types of the events of a run, and how its waits ended. */
function told(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'wait') return [`wait ${event.wait.kind}`];
    if (event.type === 'wait-end') return [`wait-end ${event.how}`];
    if (event.type === 'run-end') return [`run-end ${event.status}`];
    return event.type === 'refused' ? ['refused'] : [];
  });
}

describe('the events of a wait', () => {
  test('tell of a pause and that it was resumed', async () => {
    const pausing = graph('pausing', { state: { log: list<string>() } })
      .node('a', () => ({ log: 'a' }))
      .node('b', () => ({ log: 'b' }))
      .edge('start', 'a')
      .edge('a', 'b')
      .edge('b', 'end')
      .compile();
    const engine = await memoryPlace().open();
    const run = await engine.start(pausing, {}, { pauseBefore: ['b'] });
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'pause', when: 'before' }] });
    await run.resume();
    await run.result();
    expect(told(await all(run.events()))).toEqual(['wait pause', 'wait-end done', 'run-end completed']);
  });

  test('tell of a sleep, of a question that timed out, and of an early answer', async () => {
    const clock = virtualClock();
    const engine = await memoryPlace().open({ clock });
    const asks = {
      ok: { show: z.string(), answer: z.boolean() },
      early: { show: z.string(), answer: z.boolean() },
    };
    const flow = workflow('flow', { input: z.object({}), asks }, async (_, context) => {
      await context.sleep('nap', '1m');
      const late = await context.ask('ok', 'really?', { timeout: '1m' });
      return [late, await context.ask('early', 'sure?')];
    });
    const run = await engine.start(flow, {});
    await run.answer('early', true, { by: 'ada' });
    await clock.advance('61s');
    await clock.advance('61s');
    expect(await run.result()).toEqual([undefined, true]);
    expect(told(await all(run.events()))).toEqual([
      'wait sleep',
      'wait-end done',
      'wait ask',
      'wait-end timeout',
      'wait ask',
      'wait-end done',
      'run-end completed',
    ]);
  });

  test('tell of waits that a cancel ended', async () => {
    const engine = await memoryPlace().open();
    const flow = workflow('flow', { input: z.object({}), receives: { go: z.string() } }, (_, { receive }) =>
      receive('go'),
    );
    const run = await engine.start(flow, {});
    await run.outcome();
    await run.cancel('enough');
    expect(told(await all(run.events()))).toEqual(['wait receive', 'wait-end cancelled', 'run-end cancelled']);
    expect(await run.outcome()).toMatchObject({ status: 'cancelled', reason: 'enough' });
    await expect(run.result()).rejects.toMatchObject({ code: 'HOLDFAST_CANCELLED' });
  });

  test('tell of an answer and a message that the code refuses', async () => {
    const place = memoryPlace();
    const asks = { ok: { show: z.string(), answer: z.boolean() } };
    const flow = workflow('flow', { input: z.object({}), asks, receives: { go: z.number() } }, async (_, context) => [
      await context.ask('ok', 'really?'),
      await context.receive('go'),
    ]);
    const engine = await place.open({ graphs: [flow] });
    const run = await engine.start(flow, {});
    await run.outcome();
    const client = await place.open({ executes: false });
    const blind = await client.get(run.id);
    await blind.answer('ok', 'no boolean');
    await engine.recover();
    await expect
      .poll(async () => (await all(run.events({ until: 'idle' }))).some(({ type }) => type === 'refused'))
      .toBe(true);
    await run.answer('ok', true);
    await run.outcome();
    await blind.send('go', 'no number');
    await blind.send('go', 7);
    await engine.recover();
    expect(await run.result()).toEqual([true, 7]);
    expect(told(await all(run.events())).filter((each) => each === 'refused')).toHaveLength(2);
  });
});
