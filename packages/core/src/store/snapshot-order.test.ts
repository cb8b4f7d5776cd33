import { describe, expect, test } from 'vitest';
import { compareSnapshots } from './snapshot-order.ts';

describe('compareSnapshots()', () => {
  test('orders by what they cover and then by their place', () => {
    const keys = [
      { covers: 2, seq: 1 },
      { covers: 1, seq: 9 },
      { covers: 2, seq: 0 },
      { covers: 0, seq: 5 },
    ];
    expect(keys.toSorted(compareSnapshots).map(({ covers, seq }) => `${covers}/${seq}`)).toEqual([
      '0/5',
      '1/9',
      '2/0',
      '2/1',
    ]);
    expect(compareSnapshots({ covers: 1, seq: 1 }, { covers: 1, seq: 1 })).toBe(0);
  });
});
