import { AsyncLocalStorage } from 'node:async_hooks';
import { type EngineEvent, graph, list, openEngine, type Span, workflow } from 'holdfast';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, describeShared, gate, memoryPlace } from './every-place.ts';

const none = z.object({});
const path = new AsyncLocalStorage<string>();

/** Writes down each span below the one that it is in, as a tracer would, and how it ended. */
function tracer(): { readonly seen: string[]; readonly span: <T>(span: Span, next: () => Promise<T>) => Promise<T> } {
  const seen: string[] = [];
  return {
    seen,
    span: (span, next) => {
      const here = [path.getStore(), span.name].filter((name) => name !== undefined).join(' > ');
      seen.push(here);
      return path.run(here, async () => {
        try {
          return await next();
        } catch (error) {
          seen.push(`${here} failed: ${String(error)}`);
          throw error;
        }
      });
    },
  };
}

const orders = graph('orders', { state: { log: list<string>() } })
  .node('pay', async ({ step }) => ({ log: await step('charge', () => path.getStore() ?? 'none') }))
  .node('ship', () => ({ log: path.getStore() ?? 'none' }))
  .edge('start', 'pay')
  .edge('pay', 'ship')
  .edge('ship', 'end')
  .compile();

const shop = workflow('shop', { input: none, asks: { ok: z.boolean() } }, async (_, { ask }) => ask('ok'));

const shaky = workflow('shaky', { input: none }, async (_, { step }) =>
  step(
    'call',
    ({ attempt }) => {
      if (attempt === 1) throw new Error('first');
      throw new Error('second');
    },
    { retry: { attempts: 2, backoff: 0 } },
  ),
);

describeEverywhere('observe.span', (place) => {
  test('is called around runs, super-steps, nodes and steps, and its context reaches the code inside', async () => {
    const { seen, span } = tracer();
    const engine = await place().open({ observe: { span } });
    const { log } = await engine.start(orders, { log: 'began' }).result();
    expect(seen).toEqual([
      'run orders',
      'run orders > superstep',
      'run orders > superstep > node pay',
      'run orders > superstep > node pay > step charge',
      'run orders > superstep',
      'run orders > superstep > node ship',
    ]);
    expect(log).toEqual([
      'began',
      'run orders > superstep > node pay > step charge',
      'run orders > superstep > node ship',
    ]);
  });

  test('fails where the work did', async () => {
    const { seen, span } = tracer();
    const engine = await place().open({ observe: { span } });
    await expect(engine.start(shaky, {}, { id: 'r' }).result()).rejects.toMatchObject({ message: /second/u });
    const failed = seen
      .filter((line) => line.includes(' failed'))
      .map((line) => line.slice(0, line.indexOf(' failed')));
    expect(failed).toEqual([
      'run shaky > superstep > node main > step call',
      'run shaky > superstep > node main > step call',
      'run shaky > superstep > node main',
      'run shaky > superstep',
      'run shaky',
    ]);
  });

  test('says what is executed again, and for which item', async () => {
    const spans: Span[] = [];
    const engine = await place().open({ observe: { span: (span) => void spans.push(span) } });
    const run = await engine.start(shop, {}, { id: 'r' });
    await run.outcome();
    await run.answer('ok', true);
    await run.result();
    const nodes = spans.filter((span) => span.kind === 'node');
    const base = { kind: 'node', name: 'node main', runId: 'r', graph: 'shop', superstep: 1, node: 'main', attempt: 1 };
    expect(nodes).toEqual([
      { ...base, replayed: false },
      { ...base, replayed: true },
    ]);
    const squares = graph('squares', { state: { items: list<number>(), log: list<number>() } })
      .each(
        'square',
        ({ items }) => items,
        async (item, { step }) => ({ log: await step('s', () => item * item) }),
      )
      .edge('start', 'square')
      .edge('square', 'end')
      .compile();
    await engine.start(squares, { items: [2, 3] }).result();
    const items = spans.flatMap((span) => (span.kind === 'step' ? [[span.node, span.item, span.step, span.call]] : []));
    expect(items).toEqual([
      ['square', 0, 's', 0],
      ['square', 1, 's', 0],
    ]);
  });

  test.each<[string, (next: () => Promise<unknown>) => unknown]>([
    ['throws', () => raise()],
    ['never resolves', () => new Promise(() => {})],
    ['rejects', (next) => next().then(raise)],
  ])('that %s changes nothing, and is reported once', async (_, span) => {
    const events: EngineEvent[] = [];
    const engine = await place().open({
      observe: { span: (__, next) => span(next) },
      log: (event) => events.push(event),
    });
    expect((await engine.start(orders, { log: 'began' }).result()).log).toHaveLength(3);
    await engine.start(orders, { log: 'began' }).result();
    await engine.close();
    expect(events.filter(({ message }) => message.startsWith('observe.span failed'))).toHaveLength(1);
  });
});

describeEverywhere('observe.event', (place) => {
  test('tells of answers, refused answers, forks, prunes and deletes, and who did them', async () => {
    const events: EngineEvent[] = [];
    const engine = await place().open({ observe: { event: (event) => events.push(event) } });
    const run = await engine.start(shop, {}, { id: 'r' });
    await run.outcome();
    await run.fork({ id: 'f' });
    await run.answer('ok', true, { by: 'ada' });
    await expect(run.answer('ok', false, { by: 'bob' })).rejects.toThrow('different answer');
    await run.result();
    await engine.start(orders, { log: 'began' }, { id: 'o' }).result();
    await engine.prune({ runId: 'o', keep: 1 });
    await engine.prune({ runId: 'o', keep: 1, dryRun: true });
    await engine.delete('f', { by: 'ada' });
    await engine.delete('f', { by: 'ada' });
    for (const n of [1, 2]) await engine.checkpoints.save('mine', { state: { n } });
    await engine.checkpoints.prune('mine', { keep: 1 });
    expect(events).toMatchObject([
      { type: 'fork', level: 'info', runId: 'f', forkOf: 'r' },
      {
        type: 'answer',
        level: 'info',
        runId: 'r',
        name: 'ok',
        by: 'ada',
        message: '"ok" of run "r" was answered by ada.',
      },
      { type: 'answer-refused', runId: 'r', name: 'ok', by: 'bob', error: { code: 'HOLDFAST_ALREADY_ANSWERED' } },
      { type: 'prune', runId: 'o', by: undefined },
      { type: 'delete', runId: 'f', by: 'ada', message: 'Run "f" was deleted by ada.' },
      { type: 'prune', runId: 'mine', pruned: 1 },
    ]);
    for (const { at } of events) expect(at).toBeInstanceOf(Date);
  });

  test('tells of retries and failed runs', async () => {
    const events: EngineEvent[] = [];
    const engine = await place().open({ observe: { event: (event) => events.push(event) } });
    await expect(engine.start(shaky, {}, { id: 'r' }).result()).rejects.toThrow('second');
    const again = graph('again', { state: { log: list<string>() } })
      .node('try', ({ attempt }) => (attempt === 1 ? raise() : { log: 'done' }), { retry: { attempts: 2, backoff: 0 } })
      .edge('start', 'try')
      .edge('try', 'end')
      .compile();
    await engine.start(again, {}, { id: 'n' }).result();
    expect(events).toMatchObject([
      { type: 'retry', level: 'info', runId: 'r', node: 'main', step: 'call', attempt: 1, retryAt: expect.any(Date) },
      { type: 'run-failed', level: 'error', runId: 'r', error: { code: 'HOLDFAST_STEP_FAILED' } },
      { type: 'retry', runId: 'n', node: 'try', step: undefined, attempt: 1, error: { code: 'HOLDFAST_NODE_FAILED' } },
    ]);
  });

  test('tells of runs that this worker refuses, which are warnings too', async () => {
    const here = place();
    const first = await here.open();
    await first.start(shop, {}, { id: 'r' }).outcome();
    await first.close();
    const second = workflow('shop', { input: none, version: 2, asks: { ok: z.boolean() } }, async () => 1);
    const events: EngineEvent[] = [];
    const engine = await here.open({ graphs: [second], log: (event) => events.push(event) });
    const run = engine.get('r');
    await run.answer('ok', true);
    await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_VERSION' });
    expect(events).toMatchObject([
      { type: 'answer' },
      { type: 'refusal', level: 'warn', runId: 'r', error: { code: 'HOLDFAST_VERSION' } },
    ]);
  });
});

describeShared('observe.event', (place) => {
  test('tells of a takeover, and of the lease that it ended', async () => {
    const here = place();
    const events: [string, string, unknown][] = [];
    const observed = (who: string) => ({
      observe: { event: ({ type, ...event }: EngineEvent) => events.push([who, type, event]) },
    });
    const { opened, open } = gate();
    const slow = workflow('slow', { input: none }, async (_, { step }) => step('wait', () => opened));
    // Its clock says that a lease ends at once, so that the other may take the run over.
    const dead = await here.open({ lease: '1ms', workerId: 'dead', ...observed('dead') });
    await dead.start(slow, {}, { id: 'r' });
    const next = await here.open({ graphs: [slow], workerId: 'next', ...observed('next') });
    const types = (who: string): readonly string[] => events.flatMap(([of, type]) => (of === who ? [type] : []));
    await expect.poll(async () => [await next.recover(), types('next')][1]).toContain('takeover');
    open();
    await next.get('r').result();
    await expect.poll(() => types('dead')).toContain('lease-lost');
    expect(events.find(([, type]) => type === 'takeover')?.[2]).toMatchObject({
      runId: 'r',
      worker: 'next',
      crashes: 1,
    });
  });
});

function warnings(): { readonly calls: unknown[][] } {
  return vi.spyOn(process, 'emitWarning').mockImplementation(() => {}).mock;
}

/** Opens an engine on a store that holds a run whose graph the engine does not have. */
async function warned(log?: Parameters<typeof openEngine>[1]): Promise<void> {
  const here = memoryPlace();
  const first = await here.open();
  await first.submit(shop, {}, { id: 'r' });
  await first.close();
  const engine = await here.open({ ...log });
  await engine.recover();
}

describe('log', () => {
  test('is process.emitWarning unless given', async () => {
    const { calls } = warnings();
    await warned();
    expect(calls).toHaveLength(1);
    vi.restoreAllMocks();
  });

  test('takes warnings instead: a function, a logger, or nobody', async () => {
    const { calls } = warnings();
    const seen: unknown[] = [];
    await warned({ log: (event) => seen.push(event.type) });
    await warned({ log: { warn: (message, event) => seen.push(event.level, message) } });
    await warned({ log: 'silent' });
    expect(seen).toEqual(['warning', 'warn', expect.stringContaining('(r)')]);
    expect(calls).toEqual([]);
    vi.restoreAllMocks();
  });

  test('writes lines to stderr from a level on', async () => {
    const { calls } = vi.spyOn(process.stderr, 'write').mockImplementation(() => true).mock;
    await warned({ log: 'warn' });
    await warned({ log: 'error' });
    vi.restoreAllMocks();
    expect(calls).toEqual([[expect.stringMatching(/^\S+Z holdfast warn: This engine leaves out 1 .*\n$/u)]]);
  });

  test('must be a level, a function or an object, and an observer has only span and event', async () => {
    // @ts-expect-error: no such level.
    await expect(openEngine('memory:', { log: 'loud' })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    // @ts-expect-error: no such part.
    await expect(openEngine('memory:', { observe: { spans: () => 1 } })).rejects.toMatchObject({
      details: { option: 'spans' },
    });
  });
});

function raise(): never {
  throw new Error('observer');
}
