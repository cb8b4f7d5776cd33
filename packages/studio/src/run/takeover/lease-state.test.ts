import { describe, expect, test } from 'vitest';
import { isLate, leaseOf } from './lease-state.ts';

const now = Date.parse('2026-11-18T09:14:00Z');

function lease(until: string | null) {
  return { lease: { worker: 'w1', fence: 2, until, takeovers: 0 } };
}

describe('leaseOf()', () => {
  test('says how long it lasts, and that its worker is dead', () => {
    expect(leaseOf({ lease: null }, { now, lookedAt: now })).toBeUndefined();
    expect(leaseOf(lease('2026-11-18T09:14:04Z'), { now, lookedAt: now - 500, lengthMs: 5_000 })).toEqual({
      worker: 'w1',
      fence: 2,
      isDead: false,
      leftMs: 4_000,
      leftThenMs: 4_500,
      lengthMs: 5_000,
    });
    expect(leaseOf(lease(null), { now, lookedAt: now })).toMatchObject({ isDead: true, leftMs: undefined });
  });
});

function isLateAfter(seconds: number): boolean | undefined {
  const state = leaseOf(lease(new Date(now + seconds * 1_000).toISOString()), { now, lookedAt: now, lengthMs: 5_000 });
  return state && isLate(state);
}

describe('isLate()', () => {
  test('a lease that was not renewed by half of its time is', () => {
    expect([4, 3, 2, 0].map((seconds) => isLateAfter(seconds))).toEqual([false, false, true, true]);
  });

  test('a short lease that runs down between two looks is not: it may have been renewed', () => {
    const state = leaseOf(lease(new Date(now + 100).toISOString()), { now, lookedAt: now - 500, lengthMs: 900 });
    expect(state && isLate(state)).toBe(false);
  });
});
