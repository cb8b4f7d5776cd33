import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs, defaultMaxBackoffMs } from './backoff.ts';

describe('backoffMs()', () => {
  const longest = { backoffMs: 100, factor: 2, random: () => 0 };

  test('grows by the factor with each attempt', () => {
    expect([1, 2, 3, 4].map((attempt) => backoffMs({ ...longest, attempt }))).toEqual([100, 200, 400, 800]);
    expect(backoffMs({ ...longest, attempt: 9, factor: 1 })).toBe(100);
  });

  test('stays between half of it and all of it', () => {
    expect(backoffMs({ ...longest, attempt: 1, random: () => 1 - 2 ** -53 })).toBe(50);
  });

  test('is capped at one hour, or at the backoff itself', () => {
    expect(backoffMs({ ...longest, attempt: 10_000 })).toBe(defaultMaxBackoffMs);
    expect(backoffMs({ ...longest, attempt: 3, backoffMs: 86_400_000 })).toBe(86_400_000);
  });

  test('is capped at the longest wait that was asked for', () => {
    expect(backoffMs({ ...longest, attempt: 10, maxBackoffMs: 250 })).toBe(250);
    expect(backoffMs({ ...longest, attempt: 1, maxBackoffMs: 30 })).toBe(30);
  });

  test('is always an integer', () => {
    const options = fc.record({
      attempt: fc.integer({ min: 1, max: 1e9 }),
      backoffMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e9, noNaN: true })),
      factor: fc.double({ min: 1, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(options, (given) => {
        const ms = backoffMs({ ...given, random: Math.random });
        expect(Number.isSafeInteger(ms) && ms >= 0).toBe(true);
      }),
    );
  });
});
