import { describe, expect, test } from 'vitest';
import { sinkOf } from './log-sink.ts';
import { Observation } from './observation.ts';
import type { EngineEvent, Log, Observer, Span } from './observer.ts';

const span: Span = { kind: 'run', name: 'run g', runId: 'r', graph: 'g' };

function observing(observer: Observer, log?: Log) {
  const warned: string[] = [];
  const observation = new Observation({
    observer,
    log: log === undefined ? undefined : sinkOf(log),
    warn: (message) => void warned.push(message),
    now: () => 0,
    nextTick: (callback) => void setImmediate(callback),
  });
  const within = async <T>(work: () => Promise<T>): Promise<T> => observation.span?.(span, work) ?? work();
  return { observation, warned, within };
}

const tick = (): Promise<void> => new Promise(setImmediate);

describe('span', () => {
  test('is undefined if nobody wants spans', () => {
    expect(observing({ event: () => 1 }).observation.span).toBeUndefined();
  });

  test('gives the work its result, whatever the observer makes of it', async () => {
    const seen: unknown[] = [];
    const { within, warned } = observing({
      span: async (given, next) => {
        seen.push(given, await next());
        return 'other';
      },
    });
    expect(await within(async () => 7)).toBe(7);
    await tick();
    expect(seen).toEqual([span, 7]);
    expect(warned).toEqual([]);
  });

  test.each<[string, Observer['span']]>([
    ['throws', () => raise('observer')],
    ['throws after next', (_, next) => [next(), raise('observer')]],
    ['rejects', () => Promise.reject(new Error('observer'))],
    ['rejects after next', async (_, next) => [await next(), raise('observer')]],
    ['rejects while the work continues', (_, next) => [next(), Promise.reject(new Error('observer'))][1]],
  ])('does the work once if the observer %s, and reports it once', async (_, given) => {
    const { within, warned } = observing({ span: given });
    let done = 0;
    const work = async (): Promise<number> => (done += 1);
    expect(await within(work)).toBe(1);
    expect(await within(work)).toBe(2);
    await tick();
    expect(warned).toEqual([expect.stringMatching(/^observe.span failed.*Error: observer$/u)]);
  });

  test.each<[string, Observer['span']]>([
    ['never calls next', () => undefined],
    ['calls it twice', (_, next) => Promise.all([next(), next()])],
    ['calls it late', async (_, next) => [await tick(), next()]],
  ])('does the work once if the observer %s', async (_, given) => {
    const { observation, within, warned } = observing({ span: given });
    let done = 0;
    expect(await within(async () => (done += 1))).toBe(1);
    await tick();
    await tick();
    await observation.close();
    expect([done, warned]).toEqual([1, []]);
  });

  test('tells of a span that never ended, when the engine is closed', async () => {
    const { observation, within, warned } = observing({ span: () => new Promise(() => {}) });
    expect(await within(async () => 7)).toBe(7);
    await observation.close();
    await observation.close();
    expect(warned).toEqual([expect.stringContaining('1 spans never ended')]);
  });

  test('does not wait for work that never ends', async () => {
    const { observation, within, warned } = observing({ span: (_, next) => next() });
    void within(() => new Promise(() => {}));
    await observation.close();
    expect(warned).toEqual([]);
  });

  test('rejects for the observer as the work does, and nobody has to look', async () => {
    const seen: unknown[] = [];
    const { within, warned } = observing({
      span: (_, next) => {
        void next();
        return next().catch((error: unknown) => {
          seen.push(error);
          throw error;
        });
      },
    });
    const failure = new Error('work');
    await expect(within(() => Promise.reject(failure))).rejects.toBe(failure);
    await tick();
    expect([seen, warned]).toEqual([[failure], []]);
  });

  test('rejects for the observer alone if the result says that it failed', async () => {
    const seen: unknown[] = [];
    const { observation } = observing({ span: (_, next) => next().catch((error: unknown) => void seen.push(error)) });
    const failed = { error: new Error('in the result') };
    expect(
      await observation.span?.(
        span,
        async () => failed,
        ({ error }) => error,
      ),
    ).toBe(failed);
    await tick();
    expect(seen).toEqual([failed.error]);
  });
});

describe('event()', () => {
  const info = { type: 'fork', level: 'info', message: 'forked', runId: 'r', forkOf: 'b' } as const;

  test('goes to the observer and to the log', () => {
    const seen: unknown[] = [];
    const { observation } = observing({ event: (event) => seen.push(event) }, (event) => seen.push(event.type));
    observation.event(info);
    expect(seen).toEqual([{ ...info, at: new Date(0) }, 'fork']);
  });

  test.each<[string, Observer, Log | undefined]>([
    ['observer throws', { event: () => raise('observer') }, undefined],
    ['observer rejects', { event: () => Promise.reject(new Error('observer')) }, undefined],
    ['log throws', {}, () => raise('observer')],
    ['log rejects', {}, { info: () => Promise.reject(new Error('observer')) }],
  ])('is contained if the %s, and reported once', async (_, observer, log) => {
    const { observation, warned } = observing(observer, log);
    observation.event(info);
    observation.event(info);
    await tick();
    expect(warned).toEqual([expect.stringMatching(/failed.*Error: observer$/u)]);
  });
});

describe('warn()', () => {
  test('warns as without an observer, and is an event', () => {
    const seen: EngineEvent[] = [];
    const { observation, warned } = observing({ event: (event) => seen.push(event) });
    observation.warn('careful', { runId: 'r' });
    expect(warned).toEqual(['careful']);
    expect(seen).toEqual([{ type: 'warning', level: 'warn', message: 'careful', runId: 'r', at: new Date(0) }]);
  });

  test('goes to the log instead if there is one', () => {
    const lines: string[] = [];
    const { observation, warned } = observing({}, { warn: (message) => lines.push(message) });
    observation.warn('careful');
    expect([warned, lines]).toEqual([[], ['careful']]);
  });
});

describe('sinkOf()', () => {
  const at = new Date(0);
  const event = (level: EngineEvent['level']): EngineEvent => ({ type: 'warning', level, message: 'a\nb', at });

  test.each([
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
    ['silent', 0],
  ] as const)('writes a line for each event from the level %s on', (level, count) => {
    const lines: string[] = [];
    const sink = sinkOf(level, (line) => lines.push(line));
    for (const each of ['debug', 'info', 'warn', 'error'] as const) sink(event(each));
    expect(lines).toHaveLength(count);
    for (const line of lines) expect(line).toMatch(/^1970-01-01T00:00:00.000Z holdfast \w+: a b\n$/u);
  });

  test('calls the method of the level, if there is one', () => {
    const seen: unknown[] = [];
    const sink = sinkOf({ error: (message, { level }) => seen.push(message, level) });
    sink(event('info'));
    sink(event('error'));
    expect(seen).toEqual(['a\nb', 'error']);
  });
});

function raise(message: string): never {
  throw new Error(message);
}
