import { describe, expect, test } from 'vitest';
import { bytes, capped, count, counted, percent } from './number.ts';

describe('count()', () => {
  test('has commas from 1,000 on', () => {
    expect([0, 999, 1_000, 1_234_567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
  });

  test('says when it was not counted to the end', () => {
    expect(capped({ count: 10_000, isCut: true })).toBe('10,000+');
    expect(capped({ count: 14, isCut: false })).toBe('14');
  });

  test('takes its noun along', () => {
    expect([0, 1, 2].map((n) => counted(n, 'run'))).toEqual(['0 runs', '1 run', '2 runs']);
    expect(counted(2, 'entry', 'entries')).toBe('2 entries');
  });
});

describe('bytes()', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 KB'],
    [96_100_000, '96.1 MB'],
    [99_960_000, '100 MB'],
    [212_400_000, '212 MB'],
    [999_600_000, '1.0 GB'],
    [3_000_000_000_000, '3.0 TB'],
  ])('%d is %s', (n, text) => {
    expect(bytes(n)).toBe(text);
  });
});

describe('percent()', () => {
  test('never calls something nothing', () => {
    expect([percent(0, 10), percent(1, 1_000), percent(39, 100), percent(3, 0)]).toEqual(['0%', '<1%', '39%', '0%']);
  });
});
