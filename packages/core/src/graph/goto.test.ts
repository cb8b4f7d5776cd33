import { describe, expect, test } from 'vitest';
import { goto, gotoOf } from './goto.ts';

describe('gotoOf()', () => {
  test('gives the node and the update', () => {
    expect(gotoOf(goto('n', { a: 1 }))).toEqual({ node: 'n', update: { a: 1 } });
    expect(gotoOf(goto('end'))).toEqual({ node: 'end', update: undefined });
  });

  test('knows nothing else', () => {
    const forged = Object.create(Object.getPrototypeOf(goto('n')) as object) as unknown;
    for (const value of [undefined, null, 'n', { node: 'n' }, () => goto('n'), forged])
      expect(gotoOf(value)).toBe(undefined);
  });

  test('returns a frozen object', () => {
    expect(Object.isFrozen(goto('n'))).toBe(true);
  });
});
