import { describe, expect, test } from 'vitest';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { weigh } from './weigh.ts';

describe('weigh()', () => {
  test.each([['text'], [12345], [null], [true], [[1, 2, 'three']], [{ key: 'value', other: [1, null] }]])(
    'is about the length of the JSON of %j',
    (value) => {
      const length = JSON.stringify(value).length;
      expect(Math.abs(weigh(value) - length)).toBeLessThanOrEqual(4);
    },
  );

  test('weighs what JSON has no word for', () => {
    expect(weigh(10n ** 50n)).toBe(51);
    expect(weigh(undefined)).toBe(5);
    expect(weigh(new Uint8Array(100))).toBe(140);
  });

  test('does not walk a frozen copy', () => {
    const large = frozenCopy(Array.from({ length: 100 }, (_, index) => ({ text: 'x'.repeat(50), index })));
    expect(weigh(large)).toBeGreaterThan(5000);
  });
});
