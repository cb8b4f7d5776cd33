import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { decodeValue, encodeValue } from '../codec/codec.ts';
import { Walk } from '../codec/walk.ts';
import { frozenCopy, isFrozenCopy } from './frozen-copy.ts';

const anyJson = fc.jsonValue({ maxDepth: 6 });

/** Everything in it is frozen and known as a copy. */
function expectFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  expect(Object.isFrozen(value)).toBe(true);
  expect(isFrozenCopy(value)).toBe(true);
  if (value instanceof Map) for (const entry of value) entry.forEach(expectFrozen);
  else if (value instanceof Set) for (const item of value) expectFrozen(item);
  else for (const key of Object.keys(value)) expectFrozen((value as Record<string, unknown>)[key]);
}

function readOnly(act: () => unknown): void {
  expect(act).toThrow(
    expect.objectContaining({ code: 'HOLDFAST_READ_ONLY', message: expect.stringMatching(/Return a new/) }),
  );
}

describe('frozenCopy()', () => {
  test('gives an equal value that is frozen all the way down', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const before = JSON.stringify(value);
        const copy = frozenCopy(value);
        expect(isDeepStrictEqual(copy, value)).toBe(true);
        expectFrozen(copy);
        expect(JSON.stringify(value)).toBe(before);
        expect(typeof value === 'object' && value !== null && isFrozenCopy(value)).toBe(false);
      }),
    );
  });

  test('leaves what it was given alone', () => {
    const date = new Date(0);
    const inner = { list: [1], date, bytes: new Uint8Array([1]), map: new Map([['a', [1]]]), set: new Set([[1]]) };
    const copy = frozenCopy(inner);
    inner.list.push(2);
    date.setTime(5);
    inner.bytes[0] = 9;
    inner.map.get('a')?.push(2);
    inner.set.add([2]);
    expect(copy.list).toEqual([1]);
    expect(copy.date.getTime()).toBe(0);
    expect(copy.bytes).toEqual(new Uint8Array([1]));
    expect(copy.map.get('a')).toEqual([1]);
    expect([...copy.set]).toEqual([[1]]);
    expectFrozen(copy);
  });

  test('gives primitives back as they are', () => {
    for (const value of [1, -0, Number.NaN, 'a', '\ud800', true, null, undefined, 5n])
      expect(frozenCopy(value)).toBe(value);
    expect(isFrozenCopy('a')).toBe(false);
    expect(isFrozenCopy(null)).toBe(false);
  });

  test('drops undefined in objects and keeps it elsewhere', () => {
    const copy = frozenCopy({
      a: undefined,
      b: [undefined],
      m: new Map([[undefined, undefined]]),
      s: new Set([undefined]),
    });
    expect(Object.keys(copy)).toEqual(['b', 'm', 's']);
    expect(copy.b).toEqual([undefined]);
    expect(copy.m.has(undefined)).toBe(true);
    expect(copy.s.has(undefined)).toBe(true);
  });

  test('normalises prototypes and keeps __proto__ as data', () => {
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    expect(Object.getPrototypeOf(frozenCopy(bare))).toBe(Object.prototype);
    const copy = frozenCopy(JSON.parse('{"__proto__":{"admin":true}}') as object);
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect('admin' in copy).toBe(false);
    expect(Object.getPrototypeOf(frozenCopy(Buffer.from('a')))).toBe(Uint8Array.prototype);
  });

  test('shares what was copied before, at any depth', () => {
    const first = frozenCopy({ big: { list: [1, 2, 3] }, date: new Date(0), map: new Map([['a', {}]]) });
    expect(frozenCopy(first)).toBe(first);
    const second = frozenCopy({ ...first, extra: [first.big.list, first] });
    expect(second.big).toBe(first.big);
    expect(second.date).toBe(first.date);
    expect(second.map).toBe(first.map);
    expect(second.extra[0]).toBe(first.big.list);
    expect(second.extra[1]).toBe(first);
    expect(frozenCopy(new Map([[first.big, first.big]])).get(first.big)).toBe(first.big);
  });

  test('does not walk again what was copied before', () => {
    const big = frozenCopy(Array.from({ length: 1_000 }, (_, index) => ({ index })));
    const leaf = vi.spyOn(Walk.prototype, 'leaf');
    const enter = vi.spyOn(Walk.prototype, 'enter');
    frozenCopy({ big, again: 1 });
    const visits = { leaves: leaf.mock.calls.length, containers: enter.mock.calls.length };
    leaf.mockRestore();
    enter.mockRestore();
    expect(visits).toEqual({ leaves: 1, containers: 1 });
  });

  test('does not take what a user froze for a copy', () => {
    const mine = Object.freeze({ list: [1] });
    expect(frozenCopy(mine)).not.toBe(mine);
    expect(isFrozenCopy(mine)).toBe(false);
    expect(isFrozenCopy(structuredClone(frozenCopy(mine)))).toBe(false);
    expect(isFrozenCopy({ ...frozenCopy(mine) })).toBe(false);
  });

  test('copies bytes anew each time, because nobody can freeze them', () => {
    const copy = frozenCopy(new Uint8Array([1]));
    expect(frozenCopy(copy)).not.toBe(copy);
    expect(isFrozenCopy(copy)).toBe(false);
    expect(isFrozenCopy(frozenCopy([copy]))).toBe(true);
  });

  test('throws at the line that would change it', () => {
    'use strict';
    const copy = frozenCopy({ list: [1], map: new Map([['a', 1]]), set: new Set([1]), date: new Date(0) });
    expect(() => copy.list.push(2)).toThrow(TypeError);
    expect(() => {
      copy.list = [];
    }).toThrow(TypeError);
    readOnly(() => copy.map.set('b', 2));
    readOnly(() => copy.map.delete('a'));
    readOnly(() => copy.map.clear());
    readOnly(() => copy.set.add(2));
    readOnly(() => copy.set.delete(1));
    readOnly(() => copy.set.clear());
    readOnly(() => copy.date.setTime(5));
    readOnly(() => copy.date.setUTCFullYear(5));
    for (const name of Object.getOwnPropertyNames(Date.prototype).filter((each) => each.startsWith('set'))) {
      readOnly(() => (copy.date as unknown as Record<string, () => unknown>)[name]?.());
    }
    expect(copy).toEqual({ list: [1], map: new Map([['a', 1]]), set: new Set([1]), date: new Date(0) });
  });

  test('gives Maps, Sets and Dates that compare, print and clone like any other', () => {
    const value = { map: new Map([['a', 1]]), set: new Set([1]), date: new Date(0) };
    const copy = frozenCopy(value);
    expect(isDeepStrictEqual(copy, value)).toBe(true);
    expect(structuredClone(copy)).toStrictEqual(value);
    expect(new Map(copy.map).set('b', 2).size).toBe(2);
    expect(copy.date.toISOString()).toBe('1970-01-01T00:00:00.000Z');
    expect(copy.date.getTime()).toBe(0);
  });

  test('knows how deep and large a shared part is', () => {
    let deep: unknown = frozenCopy([1]);
    for (let level = 1; level < 200; level++) deep = frozenCopy(level % 3 === 0 ? { deep, flat: 1 } : [[], deep]);
    expect(decodeValue(encodeValue(deep))).toEqual(deep);
    expect(() => frozenCopy([deep])).toThrow(expect.objectContaining({ code: 'HOLDFAST_TOO_DEEP' }));
    const large = frozenCopy(['x'.repeat(9_000_000)]);
    expect(() => frozenCopy([large, large])).toThrow(expect.objectContaining({ code: 'HOLDFAST_TOO_LARGE' }));
  });

  test('knows that a shared part needs tags', () => {
    for (const part of [
      [-0],
      { $x: 1 },
      [[undefined]],
      { a: { b: 5n } },
      [new Date(0)],
      [new Uint8Array(1)],
      new Set(),
    ]) {
      const copy = frozenCopy({ plain: [1], part, after: {} });
      expect(isDeepStrictEqual(decodeValue(encodeValue(copy)), { plain: [1], part, after: {} })).toBe(true);
      expect(encodeValue(copy.plain)).toBe('j[1]');
      expect(encodeValue(copy.after)).toBe('j{}');
    }
  });

  test('refuses with the path what cannot be stored', () => {
    expect(() => frozenCopy({ a: [{ b: () => 1 }] })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_UNSERIALIZABLE', details: { path: '/a/0/b' } }),
    );
  });
});
