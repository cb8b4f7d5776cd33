import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brushed, scaleOf, ticksOf } from './scale.ts';

const second = 1_000;
const day = 86_400_000;

describe('scaleOf()', () => {
  test('collapses idle time into a break of a fixed width', () => {
    const scale = scaleOf([
      { from: 0, to: 10 * second },
      { from: 2 * day, to: 2 * day + 10 * second },
    ]);
    expect(scale.pieces.map(({ isBreak }) => isBreak)).toEqual([false, true, false]);
    const [before, pause, after] = scale.pieces;
    expect((pause?.x1 ?? 0) - (pause?.x0 ?? 0)).toBeCloseTo(0.135);
    expect((before?.x1 ?? 0) - (before?.x0 ?? 0)).toBeCloseTo((after?.x1 ?? 0) - (after?.x0 ?? 0));
    expect(scale.x(10 * second)).toBeLessThan(pause?.x0 ?? 0);
  });

  test('keeps clock time if asked, and short pauses always', () => {
    const stretches = [
      { from: 0, to: second },
      { from: 2 * day, to: 2 * day + second },
    ];
    expect(scaleOf(stretches, { isCollapsed: false }).pieces).toHaveLength(1);
    expect(
      scaleOf([
        { from: 0, to: second },
        { from: 50 * second, to: 60 * second },
      ]).pieces,
    ).toHaveLength(1);
  });

  test('an open wait at the end is a break too', () => {
    const scale = scaleOf([{ from: 0, to: second }], { to: day });
    expect(scale.pieces.at(-1)).toMatchObject({ isBreak: true, x1: 1 });
  });

  test('a hundred breaks leave room for what was executed', () => {
    const stretches = Array.from({ length: 101 }, (_, index) => ({ from: index * day, to: index * day + second }));
    const scale = scaleOf(stretches);
    const breaks = scale.pieces.filter(({ isBreak }) => isBreak).reduce((sum, { x0, x1 }) => sum + x1 - x0, 0);
    expect(breaks).toBeCloseTo(0.45);
  });

  test('a call that goes on for hours leaves room for the seconds before the break', () => {
    const scale = scaleOf([
      { from: 0, to: 5 * second },
      { from: 2 * day, to: 2 * day + 7_200 * second },
    ]);
    const [before, , after] = scale.pieces;
    expect((before?.x1 ?? 0) - (before?.x0 ?? 0)).toBeGreaterThan(0.25);
    expect((after?.x1 ?? 0) - (after?.x0 ?? 0)).toBeGreaterThan((before?.x1 ?? 0) - (before?.x0 ?? 0));
  });

  test('nothing was executed: there is an axis all the same', () => {
    expect(scaleOf([]).x(5)).toBeGreaterThanOrEqual(0);
  });

  test('grows with time, stays within its width, and is its own inverse', () => {
    const stretch = fc
      .tuple(fc.integer({ min: 0, max: 10 * day }), fc.integer({ min: 1, max: day }))
      .map(([from, ms]) => ({ from, to: from + ms }));
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 20 }), fc.boolean(), (stretches, isCollapsed) => {
        const scale = scaleOf(stretches, { isCollapsed });
        const times = stretches.flatMap(({ from, to }) => [from, to]).toSorted((left, right) => left - right);
        const places = times.map((time) => scale.x(time));
        for (const [index, x] of places.entries()) {
          expect(x).toBeGreaterThanOrEqual(-1e-9);
          expect(x).toBeLessThanOrEqual(1 + 1e-9);
          expect(x + 1e-9).toBeGreaterThanOrEqual(places[index - 1] ?? 0);
          expect(Math.abs(scale.timeAt(x) - (times[index] ?? 0))).toBeLessThan(
            Math.max(1, (scale.to - scale.from) * 1e-6),
          );
        }
      }),
    );
  });
});

describe('ticksOf()', () => {
  test('names the start of each piece, and keeps labels apart', () => {
    const scale = scaleOf([
      { from: 0, to: 18 * second },
      { from: 2 * day, to: 2 * day + 9 * second },
    ]);
    const ticks = ticksOf(scale);
    expect(ticks[0]).toMatchObject({ time: 0, offsetMs: undefined });
    expect(ticks.filter(({ offsetMs }) => offsetMs === undefined)).toHaveLength(2);
    const gaps = ticks.slice(1).map(({ x }, index) => x - (ticks[index]?.x ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0.05);
  });

  test('leaves more room between labels in a narrow window', () => {
    const scale = scaleOf([{ from: 0, to: 1_100 }]);
    const offsets = (isNarrow: boolean) => ticksOf(scale, { isNarrow }).map(({ offsetMs }) => offsetMs);
    expect(offsets(false)).toEqual([undefined, 200, 400, 600, 800, 1_000]);
    expect(offsets(true)).toEqual([undefined, 500, 1_000]);
  });
});

describe('brushed()', () => {
  test('gives the times of both ends in either direction; a click selects nothing', () => {
    const scale = scaleOf([{ from: 0, to: 100 }]);
    expect(brushed(scale, 0.75, 0.25)).toEqual({ from: 25, to: 75 });
    expect(brushed(scale, 0.5, 0.501)).toBeUndefined();
  });
});
