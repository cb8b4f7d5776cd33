import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameValue } from '../equal.ts';
import { frozenCopy, isFrozenCopy } from '../frozen/frozen-copy.ts';
import { ownFacts } from '../frozen/own.ts';
import { encodeOwn, encodeValue } from './codec.ts';
import { decodeFrozen } from './decode-frozen.ts';

/** What is known of a value and of everything in it. */
function allFacts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return [];
  const frozen = value instanceof Uint8Array || Object.isFrozen(value);
  const parts = value instanceof Map || value instanceof Set ? [...value].flat(1) : Object.values(value);
  return [frozen, ownFacts(value), parts.map(allFacts)];
}

/** No part is said to be larger than its text is, or a value within the limit could be refused. */
function allSizesHold(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const parts = value instanceof Map || value instanceof Set ? [...value].flat(1) : Object.values(value);
  return (ownFacts(value)?.size ?? 0) < Buffer.byteLength(encodeValue(value)) && parts.every(allSizesHold);
}

describe('decodeFrozen()', () => {
  test('gives the same as a frozen copy of the decoded value', () => {
    const key = fc.oneof(
      fc.string(),
      fc.string().map((text) => `$${text}`),
    );
    const anyValue = fc.anything({ key, withBigInt: true, withDate: true, withMap: true, withSet: true, maxDepth: 4 });
    fc.assert(
      fc.property(anyValue, (value) => {
        const copy = frozenCopy(value);
        const decoded = decodeFrozen(encodeValue(value));
        expect(sameValue(decoded, copy)).toBe(true);
        expect(allFacts(decoded)).toEqual(allFacts(copy));
        expect(allSizesHold(copy)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('gives what frozenCopy() shares', () => {
    const value = decodeFrozen(
      encodeValue({ list: [1], map: new Map([['a', new Date(0)]]), bytes: new Uint8Array(2), tag: { $x: 1 } }),
    );
    expect(isFrozenCopy(value)).toBe(true);
    expect(frozenCopy(value)).toBe(value);
    const { map } = value as { readonly map: Map<string, Date> };
    expect(() => map.clear()).toThrow(expect.objectContaining({ code: 'HOLDFAST_READ_ONLY' }));
    expect(() => map.get('a')?.setTime(1)).toThrow(expect.objectContaining({ code: 'HOLDFAST_READ_ONLY' }));
    expect(encodeValue(value)).toContain('{"$$x":1}');
  });

  test('knows the least size of every kind', () => {
    const kinds = [
      [],
      {},
      [1],
      { a: 1 },
      { $a: 1 },
      [undefined],
      [-0],
      [5n, -5n],
      [2n ** 64n, -(2n ** 70n)],
      [new Date(0)],
    ];
    const more = [
      [new Date(Number.NaN)],
      [new Uint8Array(1)],
      [new Uint8Array()],
      new Map(),
      new Map([[1, 2]]),
      new Set(),
      new Set([1, 2]),
    ];
    expect([...kinds, ...more].filter((kind) => !allSizesHold(frozenCopy(kind)))).toEqual([]);
  });

  test('takes as many levels as encodeOwn() writes', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 232; level++) deep = [deep];
    expect(encodeOwn(decodeFrozen(encodeOwn(deep)))).toBe(encodeOwn(deep));
    expect(() => decodeFrozen(`j[${encodeOwn(deep).slice(1)}]`)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_TOO_DEEP' }),
    );
  });

  test('refuses what decodeValue() refuses', () => {
    expect(() => decodeFrozen('j{')).toThrow(expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }));
  });
});
