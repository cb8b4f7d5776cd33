import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText } from './codec/canonical.ts';
import { decodeValue, encodeValue } from './codec/codec.ts';
import { sameValue } from './equal.ts';

const small = fc.object({ withBigInt: true, withDate: true, withMap: true, withSet: true, maxDepth: 3, maxKeys: 3 });

describe('sameValue()', () => {
  test('is true of a value and what is read back of it', () => {
    fc.assert(
      fc.property(small, (value) => {
        expect(sameValue(value, decodeValue(encodeValue(value)))).toBe(true);
      }),
    );
  });

  test('agrees with the canonical text', () => {
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(sameValue(a, b)).toBe(canonicalText(a) === canonicalText(b));
        expect(sameValue(a, b)).toBe(sameValue(b, a));
      }),
    );
  });

  test.each<[unknown, unknown]>([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: undefined }, {}],
    [Number.NaN, Number.NaN],
    [new Date(Number.NaN), new Date(Number.NaN)],
    [Buffer.from('a'), new Uint8Array([97])],
    [new Map([[[1], 2]]), new Map([[[1], 2]])],
    [new Set([[1]]), new Set([[1]])],
    [Object.create(null), {}],
  ])('takes %o and %o for the same', (a, b) => {
    expect(sameValue(a, b)).toBe(true);
  });

  test.each<[unknown, unknown]>([
    [0, -0],
    [1, 1n],
    ['1', 1],
    [null, {}],
    [{}, null],
    [undefined, null],
    [[], {}],
    [[1], [1, 2]],
    [[1], [2]],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, b: 1 }, { a: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ toString: 1 }, {}],
    [{}, { toString: 1 }],
    [new Date(0), new Date(1)],
    [new Date(0), new Date(Number.NaN)],
    [new Uint8Array([1]), new Uint8Array([2])],
    [new Map([['a', 1]]), new Map([['a', 2]])],
    [
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
      new Map([
        ['b', 1],
        ['a', 1],
      ]),
    ],
    [new Set([1, 2]), new Set([2, 1])],
    [new Set(), new Map()],
    [new URL('http://a'), new URL('http://a')],
  ])('tells %o from %o', (a, b) => {
    expect(sameValue(a, b)).toBe(false);
  });

  test('looks no further where both are one', () => {
    const untouchable = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('looked');
        },
      },
    );
    expect(sameValue([untouchable], [untouchable])).toBe(true);
  });
});
