import { describe, expect, test } from 'vitest';
import { durationMs } from './duration.ts';
import { parseCount, parseLimit } from './numbers.ts';

describe('parseCount()', () => {
  test.each(['-1', '1.5', 'x', '', '1e3', '99999999999999999999'])('refuses %j', (text) => {
    expect(() => parseCount(text, '--keep')).toThrow('--keep must be an integer of at least 0');
  });
});

describe('parseLimit()', () => {
  test('0 is all, nothing is the default', () => {
    expect([parseLimit('0', 20), parseLimit(undefined, 20), parseLimit('7', 20)]).toEqual([undefined, 20, 7]);
  });
});

describe('durationMs()', () => {
  test('reads units', () => {
    expect(['1500ms', '1.5s', '2m', '1h', '30d'].map((text) => durationMs(text, '--drain'))).toEqual([
      1_500, 1_500, 120_000, 3_600_000, 2_592_000_000,
    ]);
  });

  test.each(['10', 's', '-1s', '1w'])('refuses %s', (text) => {
    expect(() => durationMs(text, '--drain')).toThrow('--drain must be a number followed by');
  });
});
