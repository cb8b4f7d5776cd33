import { describe, expect, test } from 'vitest';
import { age, ago, dayAndClock, duration, until } from './time.ts';

const now = Date.parse('2026-11-18T13:20:00Z');
const before = (ms: number): string => new Date(now - ms).toISOString();
const s = 1_000;
const m = 60 * s;
const h = 60 * m;
const d = 24 * h;

describe('age()', () => {
  test.each([
    [0, 'now'],
    [999, 'now'],
    [9 * s, '9s'],
    [59.9 * s, '59s'],
    [4 * m, '4m'],
    [3 * h, '3h'],
    [2 * d, '2d'],
    [7 * d - 1, '6d'],
  ])('has one unit up to a week: %d ms is %s', (ms, text) => {
    expect(age(before(ms), now)).toBe(text);
  });

  test('is the day from a week on, with the year if it is another one', () => {
    expect(age('2026-11-08T12:00:00Z', now)).toBe('8 Nov');
    expect(age('2025-11-08T12:00:00Z', now)).toBe('8 Nov 2025');
  });

  test('is "now" for a time in the future: clocks differ', () => {
    expect(age(before(-5 * s), now)).toBe('now');
  });
});

describe('ago() and until()', () => {
  test('spell an age like a duration', () => {
    expect(ago(before(3 * h), now)).toBe('3 h ago');
    expect(ago(before(300), now)).toBe('just now');
    expect(ago(before(9 * d), now)).toBe('on 9 Nov');
  });

  test('say how long something still takes', () => {
    expect(until(before(-21 * h), now)).toBe('in 21 h');
    expect(until(before(2 * m), now)).toBe('2 m ago');
  });
});

describe('duration()', () => {
  test.each([
    [850, '850 ms'],
    [8_400, '8.4 s'],
    [59_960, '59.9 s'],
    [2 * m + 41 * s, '2 m 41 s'],
    [m + 2 * s, '1 m 02 s'],
    [5 * m, '5 m'],
    [h + 12 * m, '1 h 12 m'],
    [2 * d + 4 * h, '2 d 4 h'],
  ])('has at most two units: %d ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  test('of something that still runs has no decimal from ten seconds on', () => {
    expect(duration(8_460, { isRunning: true })).toBe('8.4 s');
    expect(duration(48_900, { isRunning: true })).toBe('48 s');
    expect(duration(400, { isRunning: true })).toBe('0.4 s');
  });
});

describe('dayAndClock()', () => {
  test('has 24 hours', () => {
    expect(dayAndClock('2026-11-18T23:05:09')).toBe('18 Nov 23:05:09');
    expect(dayAndClock('2026-11-18T00:05:09')).toBe('18 Nov 00:05:09');
  });
});
