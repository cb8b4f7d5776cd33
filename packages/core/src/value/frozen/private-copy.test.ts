import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frozenCopy, isFrozenCopy } from './frozen-copy.ts';
import { privateCopy } from './private-copy.ts';

describe('privateCopy()', () => {
  test('equals the frozen copy, and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const frozen = frozenCopy(value);
        const copy = privateCopy(frozen);
        expect(copy).toEqual(frozen);
        expect(isFrozenCopy(copy)).toBe(false);
      }),
    );
  });

  test('can be changed everywhere', () => {
    const frozen = frozenCopy({
      list: [{ n: 1 }],
      date: new Date(0),
      bytes: new Uint8Array([1]),
      map: new Map([['a', [1]]]),
      set: new Set([{ n: 1 }]),
    });
    const copy = privateCopy(frozen);
    copy.list.push({ n: 2 });
    copy.date.setTime(5);
    copy.bytes[0] = 9;
    copy.map.set('b', []).get('a')?.push(2);
    for (const item of copy.set) item.n = 3;
    copy.set.clear();
    expect(frozen).toEqual({
      list: [{ n: 1 }],
      date: new Date(0),
      bytes: new Uint8Array([1]),
      map: new Map([['a', [1]]]),
      set: new Set([{ n: 1 }]),
    });
    expect(Object.isFrozen(copy)).toBe(false);
  });

  test('keeps a key named __proto__, and leaves prototypes alone', () => {
    const copy = privateCopy(frozenCopy(JSON.parse('{"__proto__":{"admin":true}}') as object));
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect('admin' in copy).toBe(false);
  });

  test('is the value itself if that cannot be changed', () => {
    for (const value of [1, 'a', true, null, undefined, 5n]) expect(privateCopy(value)).toBe(value);
  });
});
