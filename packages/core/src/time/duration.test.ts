import { describe, expect, test } from 'vitest';
import { durationMs } from './duration.ts';

describe('durationMs()', () => {
  test.each<[unknown, number]>([
    [0, 0],
    [1.5, 1.5],
    [Number.MAX_SAFE_INTEGER, 4e15],
    ['100000000d', 4e15],
    ['0s', 0],
    ['500ms', 500],
    ['1.5s', 1_500],
    ['2.3s', 2_300],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
  ])('reads %o as %d', (value, ms) => {
    expect(durationMs(value)).toBe(ms);
  });

  test.each([
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    '',
    '5',
    's',
    '-5s',
    '5 s',
    '5S',
    '1e3s',
    '0x5s',
    '.5s',
    '5.s',
    'Infinityms',
    '5s\n',
    '999999999999999d',
    null,
    undefined,
    5n,
    {},
    ['5s'],
    new Date(),
  ])('refuses %o', (value) => {
    expect(() => durationMs(value)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });

  test('shows little of what it refuses', () => {
    expect(() => durationMs('x'.repeat(10_000))).toThrow(/^Invalid duration: "x{60}"\. Use/);
  });
});
