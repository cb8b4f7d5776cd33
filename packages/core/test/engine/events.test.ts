import { graph, list, type RunEvent, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, memoryPlace } from './every-place.ts';

const none = z.object({});

const teller = graph('teller', {
  state: { log: list<string>() },
  asks: { ok: { show: z.string(), answer: z.boolean() } },
  emits: z.object({ token: z.string() }),
})
  .node('talk', async ({ emit, step, ask }) => {
    emit({ token: 'body' });
    await step('model', ({ emit: tell }) => {
      tell({ token: 'a' });
      tell({ token: 'b' });
    });
    return { log: String(await ask('ok', 'well?')) };
  })
  .node('end-it', () => ({ log: 'end' }))
  .edge('start', 'talk')
  .edge('talk', 'end-it')
  .edge('end-it', 'end')
  .compile();

function tokens(events: readonly RunEvent[]): readonly unknown[] {
  return events.flatMap((event) => (event.type === 'emit' ? [(event.data as { token: string }).token] : []));
}

describeEverywhere('events', (place) => {
  test('are the same from the journal for whoever reconnects, without gap or duplicate', async () => {
    const here = place();
    const first = await here.open();
    const run = await first.start(teller, {}, { id: 'r' });
    const before = await all(run.events({ until: 'idle' }));
    await first.close();
    const second = await here.open();
    const again = await second.get(teller, 'r');
    await again.answer('ok', true);
    await again.result();
    const whole = await all(again.events());
    const types = whole.map(({ type }) => type);
    expect(types.filter((type) => type === 'wait' || type === 'wait-end' || type === 'run-end')).toEqual([
      'wait',
      'wait-end',
      'run-end',
    ]);
    const journalled = before.filter(({ type }) => type !== 'node-start' && type !== 'step-start');
    expect(whole.slice(0, journalled.length)).toEqual(journalled);
    for (const [at, { cursor }] of whole.entries()) {
      expect(await all(again.events({ after: cursor }))).toEqual(whole.slice(at + 1));
    }
    expect(new Set(whole.map(({ cursor }) => cursor)).size).toBe(whole.length);
  });

  test('tell declared emits also to those who come later, and those of a finished step once', async () => {
    const here = place();
    const first = await here.open();
    const run = await first.start(teller, {}, { id: 'r' });
    await run.outcome();
    await first.close();
    const second = await here.open();
    const again = await second.get(teller, 'r');
    expect(tokens(await all(again.events({ until: 'idle' })))).toEqual(['body', 'a', 'b']);
    await again.answer('ok', true);
    await again.result();
    expect(tokens(await all(again.events()))).toEqual(['body', 'a', 'b', 'body']);
  });
});

describe('events', () => {
  test('of undeclared emits and starts come live only', async () => {
    const live = workflow('live', { input: none, receives: { go: z.number() } }, async (_, { emit, receive, step }) => {
      await receive('go');
      emit({ any: 'thing' });
      await step('s', ({ emit: tell }) => tell(1));
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(live, {});
    await run.outcome();
    const listening = all(run.events({ after: run.cursor }));
    await run.send('go', 1);
    const seen = (await listening).map(({ type }) => type);
    expect(seen.filter((type) => type === 'emit')).toHaveLength(2);
    expect(seen).toContain('node-start');
    expect(seen).toContain('step-start');
    const later = (await all(run.events())).map(({ type }) => type);
    expect(later).not.toContain('emit');
    expect(later).not.toContain('node-start');
  });

  test('tell replayed steps from executed ones', async () => {
    const waits = workflow('waits', { input: none, receives: { go: z.number() } }, async (_, { receive, step }) => {
      await step('before', () => 1);
      await receive('go');
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(waits, {});
    await run.outcome();
    const listening = all(run.events());
    await run.send('go', 1);
    const steps = (await listening).flatMap((event) => (event.type === 'step-end' ? [event.replayed] : []));
    expect(steps).toEqual([false, true]);
  });

  test('refuse what is no cursor', async () => {
    const engine = await memoryPlace().open();
    const run = await engine.start(teller, {});
    await expect(all(run.events({ after: 'x' }))).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
  });

  test('an emit that cannot be stored fails at its own line, and is kept as it was', async () => {
    const odd = workflow('odd', { input: none, emits: z.unknown() }, async (_, { emit }) => {
      const data = { n: 1 };
      emit(data);
      data.n = 2;
      emit(() => 1);
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(odd, {});
    expect(await run.outcome()).toMatchObject({ status: 'failed' });
    const emitted = (await all(run.events())).flatMap((event) => (event.type === 'emit' ? [event.data] : []));
    expect(emitted).toEqual([{ n: 1 }]);
  });

  test('stop when the signal aborts', async () => {
    const engine = await memoryPlace().open();
    const run = await engine.start(teller, {});
    await run.outcome();
    const controller = new AbortController();
    const listening = all(run.events({ signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('gone')), 20);
    await expect(listening).rejects.toThrow('gone');
    await expect(run.result({ signal: controller.signal })).rejects.toThrow('gone');
  });
});
