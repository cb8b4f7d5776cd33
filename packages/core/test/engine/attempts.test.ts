import { graph, list, type RunEvent, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, memoryPlace } from './every-place.ts';

const none = z.object({});
const emits = z.string();

/** A workflow whose only step streams half of its text and fails, until its last attempt. */
function stream(attempts: number) {
  return workflow('stream', { input: none, emits }, async (_, { step }) =>
    step(
      'model',
      ({ attempt, emit }) => {
        emit('Hel');
        if (attempt < attempts) throw new Error(`lost at ${attempt}`, { cause: new Error('reset') });
        emit('lo');
        return 'Hello';
      },
      { retry: { attempts, backoff: 0 } },
    ),
  );
}

/** What a client shows: the values of attempts that failed and of executions that were cut off are dropped. */
function shown(events: readonly RunEvent[]): readonly unknown[] {
  let kept: (RunEvent & { readonly type: 'emit' })[] = [];
  for (const event of events) {
    if (event.type === 'emit') {
      const { task, step, call, execution } = event;
      kept = kept.filter(
        (each) => each.task !== task || each.step !== step || each.call !== call || each.execution === execution,
      );
      kept.push(event);
    }
    if (event.type === 'step-error') {
      const { task, step, call, attempt } = event;
      kept = kept.filter(
        (each) => each.task !== task || each.step !== step || each.call !== call || each.attempt !== attempt,
      );
    }
    if (event.type === 'node-error') {
      kept = kept.filter(
        (each) => each.task !== event.task || each.step !== undefined || each.attempt !== event.attempt,
      );
    }
  }
  return kept.map(({ data }) => data);
}

function ofType<T extends RunEvent['type']>(events: readonly RunEvent[], type: T): (RunEvent & { readonly type: T })[] {
  return events.filter((event): event is RunEvent & { readonly type: T } => event.type === type);
}

describeEverywhere('attempts', (place) => {
  test('of a step are events of their own, and its emits name theirs', async () => {
    const engine = await place().open();
    const run = await engine.start(stream(3), {}, { id: 'r' });
    expect(await run.result()).toBe('Hello');
    const events = await all(run.events());
    const told = events.filter(({ type }) => type === 'emit' || type === 'step-error' || type === 'step-end');
    expect(told).toMatchObject([
      { type: 'emit', step: 'model', call: 0, attempt: 1, data: 'Hel' },
      { type: 'step-error', step: 'model', call: 0, attempt: 1, willRetry: true, retryAt: expect.any(Date) },
      { type: 'emit', attempt: 2, data: 'Hel' },
      { type: 'step-error', attempt: 2, willRetry: true },
      { type: 'emit', attempt: 3, data: 'Hel' },
      { type: 'emit', attempt: 3, data: 'lo' },
      { type: 'step-end', step: 'model', call: 0, attempt: 3, replayed: false },
    ]);
    expect(shown(events)).toEqual(['Hel', 'lo']);
  });

  test('that fail for good end their step with an error, which JSON keeps with its causes', async () => {
    const engine = await place().open();
    const run = await engine.start(
      workflow('lost', { input: none }, async (_, { step }) => {
        await step('model', () => {
          throw new Error('lost', { cause: new Error('reset', { cause: 'timeout' }) });
        }).catch(() => undefined);
      }),
      {},
    );
    await run.result();
    const events = await all(run.events());
    expect(ofType(events, 'step-end')).toEqual([]);
    const [failure] = ofType(events, 'step-error');
    expect(failure).toMatchObject({ step: 'model', attempt: 1, willRetry: false, retryAt: undefined });
    expect(JSON.parse(JSON.stringify(failure))).toMatchObject({
      type: 'step-error',
      error: {
        name: 'HoldfastError',
        code: 'HOLDFAST_STEP_FAILED',
        message: 'Step model failed: lost',
        details: { step: 'model', attempts: 1 },
        cause: { name: 'Error', message: 'lost', cause: { message: 'reset', cause: { message: 'timeout' } } },
      },
    });
  });

  test('of a node tell its emits apart, also when a failed run is resumed', async () => {
    let down = true;
    const engine = await place().open();
    const talk = graph('talk', { state: { log: list<string>() }, emits })
      .node(
        'say',
        ({ emit, attempt }) => {
          emit(`${down}${attempt}`);
          if (down) throw new Error('down');
          return { log: 'said' };
        },
        { retry: { attempts: 2, backoff: 0 } },
      )
      .edge('start', 'say')
      .edge('say', 'end')
      .compile();
    const run = await engine.start(talk, {});
    expect(await run.outcome()).toMatchObject({ status: 'failed' });
    const before = await all(run.events());
    expect(ofType(before, 'emit')).toMatchObject([
      { attempt: 1, step: undefined, call: undefined },
      { attempt: 2, step: undefined, call: undefined },
    ]);
    expect(ofType(before, 'node-error')).toMatchObject([
      { attempt: 1, willRetry: true, retryAt: expect.any(Date) },
      { attempt: 2, willRetry: false, retryAt: undefined },
    ]);
    expect(shown(before)).toEqual([]);
    down = false;
    await run.resume();
    await run.result();
    const after = await all(run.events());
    const executions = ofType(after, 'emit').map(({ execution }) => execution);
    expect(executions).toEqual([...new Set(executions)].toSorted((left, right) => left - right));
    expect(shown(after)).toEqual(['false1']);
  });

  test('tell two steps with one name apart, and a body that started again after a wait', async () => {
    const engine = await place().open();
    const twice = workflow('twice', { input: none, emits, receives: { go: z.number() } }, async (_, ctx) => {
      ctx.emit('body');
      await ctx.step('say', ({ emit }) => emit('a'));
      await ctx.step('say', ({ emit }) => emit('b'));
      await ctx.receive('go');
    });
    const run = await engine.start(twice, {});
    await run.outcome();
    await run.send('go', 1);
    await run.result();
    const events = await all(run.events());
    expect(ofType(events, 'emit').map(({ call, data }) => [call, data])).toEqual([
      [undefined, 'body'],
      [0, 'a'],
      [1, 'b'],
      [undefined, 'body'],
    ]);
    expect(ofType(events, 'step-end').map(({ call }) => call)).toEqual([0, 1]);
    expect(shown(events)).toEqual(['a', 'b', 'body']);
  });

  test('whose outcome a person settled end like others', async () => {
    const here = place();
    const engine = await here.open();
    const charge = workflow('charge', { input: none }, async (_, { step }) => {
      const pay = async (name: string) =>
        step(name, () => new Promise<string>(() => undefined), { effect: 'once', timeout: '1ms' }).catch(
          ({ message }: Error) => message,
        );
      return [await pay('first'), await pay('second'), await pay('third')].join();
    });
    const run = await engine.start(charge, {});
    for (const outcome of [{ result: 'paid' }, { error: 'declined' }, 'retry', { result: 'late' }] as const) {
      const waiting = await run.outcome();
      const [wait] = waiting.status === 'waiting' ? waiting.waits : [];
      await run.settle(wait?.kind === 'effect' ? wait.key : '', outcome);
    }
    expect(await run.result()).toBe('paid,declined,late');
    const events = await all(run.events());
    expect(ofType(events, 'step-end').map(({ step }) => step)).toEqual(['first', 'third']);
    expect(ofType(events, 'step-error')).toMatchObject([
      { step: 'second', willRetry: false, error: { code: 'HOLDFAST_STEP_FAILED', cause: { message: 'declined' } } },
    ]);
  });
});

describe('attempts', () => {
  test('are told by undeclared emits too, while they happen', async () => {
    const engine = await memoryPlace().open();
    const live = workflow('live', { input: none, receives: { go: z.number() } }, async (_, { receive, step }) => {
      await receive('go');
      await step(
        'model',
        ({ attempt, emit }) => {
          emit(attempt);
          if (attempt === 1) throw new Error('lost');
        },
        { retry: { attempts: 2, backoff: 0 } },
      );
      await step('never', () => Promise.reject(new Error('no'))).catch(() => undefined);
      await receive('go');
    });
    const run = await engine.start(live, {});
    await run.outcome();
    const listening = all(run.events({ after: run.cursor }));
    await run.send('go', 1);
    await run.outcome();
    await run.send('go', 2);
    const events = await listening;
    expect(ofType(events, 'emit').map(({ attempt, data }) => [attempt, data])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(shown(events)).toEqual([2]);
    // A step that failed for good fails again when the body is replayed: that is no new attempt, and no end.
    expect(ofType(events, 'step-error').map(({ step }) => step)).toEqual(['model', 'never']);
    expect(ofType(events, 'step-end').map(({ step, attempt, replayed }) => [step, attempt, replayed])).toEqual([
      ['model', 2, false],
      ['model', 2, true],
    ]);
  });
});
