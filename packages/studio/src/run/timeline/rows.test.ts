import { describe, expect, test } from 'vitest';
import type { Span, TaskStory } from '../fold/story.ts';
import { barsOf, captionPlace, type Row, statusOf } from './rows.ts';
import { scaleOf } from './scale.ts';

function span(from: number, to: number | undefined, end: Span['end'] = 'done', kind: Span['kind'] = 'run'): Span {
  return { node: 'a', item: undefined, kind, from, to, end, what: 'x', seq: 1, superstep: 1 };
}

function row(spans: readonly Span[]): Row {
  return { key: 'a', node: 'a', depth: 0, status: 'completed', spans, caption: undefined };
}

describe('barsOf()', () => {
  test('joins what follows without a gap, and keeps what ended otherwise apart', () => {
    const scale = scaleOf([{ from: 0, to: 100 }]);
    const spans = [
      span(0, 10),
      span(10, 20),
      span(20, 30, 'failed'),
      span(30, 40, 'done', 'backoff'),
      span(40, 60, 'killed'),
      span(80, undefined, 'open'),
    ];
    expect(barsOf(row(spans), scale, 100).map(({ kind, x0, x1 }) => [kind, x0, x1])).toEqual([
      ['ok', 0, 0.2],
      ['bad', 0.2, 0.3],
      ['off', 0.3, 0.4],
      ['kill', 0.4, 0.6],
      ['run', 0.8, 1],
    ]);
  });

  test('10,000 super-steps of a node are few bars', () => {
    const spans = Array.from({ length: 10_000 }, (_, index) => ({
      ...span(index * 10, index * 10 + 10),
      superstep: index,
    }));
    const scale = scaleOf([{ from: 0, to: 100_000 }]);
    expect(barsOf(row(spans), scale, 100_000).length).toBeLessThan(1_000);
  });

  test('leaves out what is not on the axis', () => {
    const scale = scaleOf([{ from: 50, to: 60 }]);
    expect(barsOf(row([span(0, 10), span(55, 58)]), scale, 100)).toHaveLength(1);
  });
});

function task(superstep: number, status: TaskStory['status']): TaskStory {
  return {
    node: 'a',
    item: undefined,
    superstep,
    from: 0,
    to: 1,
    status,
    failures: 0,
    activeMs: 1,
    wasTakenOver: false,
  };
}

describe('statusOf()', () => {
  test('is that of the newest task; of items, the one that is not over', () => {
    expect(statusOf([])).toBe('pending');
    expect(statusOf([task(1, 'failed'), task(2, 'completed')])).toBe('completed');
    expect(statusOf([task(2, 'running'), task(2, 'completed')])).toBe('running');
  });
});

describe('captionPlace()', () => {
  const scale = scaleOf([
    { from: 0, to: 10_000 },
    { from: 86_400_000, to: 86_410_000 },
  ]);
  const at = (from: number, to: number) => captionPlace(barsOf(row([span(from, to)]), scale, to), '603 ms', scale);

  test('is right of the bars if there is room before the next break', () => {
    expect(at(0, 5_000)).toMatchObject({ side: 'right' });
    expect(at(86_400_000, 86_403_000)).toMatchObject({ side: 'right' });
  });

  test('is left of them before a break and at the end', () => {
    expect(at(8_000, 9_900)).toMatchObject({ side: 'left' });
    expect(at(86_408_000, 86_410_000)).toMatchObject({ side: 'left' });
  });

  test('is left out where neither side has room', () => {
    expect(at(0, 9_900)).toBeUndefined();
  });
});
