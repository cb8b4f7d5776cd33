import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRecordId } from './id.ts';
import { sortableIds } from './sortable-id.ts';

const shape = /^[0-9a-hjkmnp-tv-z]{26}$/;

function expectSorted(ids: readonly string[]): void {
  expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''))).toBe(true);
}

function firstAt(ms: number): string {
  return sortableIds({ now: () => ms, random: Math.random })();
}

describe('sortableIds()', () => {
  test('creates 100,000 unique ids in order, whatever the clock does', () => {
    let now = 1_700_000_000_000;
    const next = sortableIds({ now: () => (now += Math.floor(Math.random() * 7) - 3), random: Math.random });
    const ids = Array.from({ length: 100_000 }, next);
    expect(new Set(ids).size).toBe(ids.length);
    expectSorted(ids);
    expect(ids.filter((id) => !shape.test(id) || !isRecordId(id))).toEqual([]);
  });

  test('stays in order under any clock and any randomness', () => {
    const clock = fc.array(
      fc.oneof(fc.double(), fc.integer({ min: 0, max: 5 }), fc.constantFrom(Number.NaN, 2 ** 60, -1)),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    const random = fc.array(
      fc.oneof(fc.constantFrom(0, 1 - 2 ** -53), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      {
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(clock, random, (times, randoms) => {
        let calls = 0;
        let draws = 0;
        const next = sortableIds({
          now: () => times[calls++ % times.length] ?? 0,
          random: () => randoms[draws++ % randoms.length] ?? 0,
        });
        const ids = Array.from({ length: 60 }, next);
        expectSorted(ids);
        for (const id of ids) expect(id).toMatch(shape);
      }),
    );
  });

  test('sorts by time across makers', () => {
    const ids = [0, 1, 31, 32, 1_000, 1_700_000_000_000, 2 ** 47, 2 ** 48 - 1].map(firstAt);
    expectSorted(ids);
    expect(firstAt(2 ** 48 - 1).slice(0, 10)).toBe('7zzzzzzzzz');
  });

  test('is never all digits', () => {
    const next = sortableIds({ now: () => 0, random: () => 0 });
    expect(next()).toBe('0000000000000000000000000a');
  });

  test('carries into the time when the random bits are used up', () => {
    const next = sortableIds({ now: () => 1, random: () => 1 - 2 ** -53 });
    expect(next()).toBe('0000000001zzzzzzzzzzzzzzzz');
    expect(next()).toBe('0000000002000000000000000a');
  });
});
