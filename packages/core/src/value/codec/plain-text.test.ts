import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frozenCopy } from '../frozen/frozen-copy.ts';
import { plainText } from './plain-text.ts';
import { maxBytes } from './walk.ts';

describe('plainText()', () => {
  test.each([
    [null],
    [true],
    [false],
    [-1.5e21],
    ['text'],
    ['"quoted", \\ and \n'],
    ['ünïcödé \ud800'],
    ['a text that is longer than most names are'],
    [[]],
    [{}],
    [[1, 'two', [3]]],
    [{ delta: { n: ['=', 1] }, next: ['a'], gone: undefined, 'odd "key"': null }],
    [{ around: frozenCopy({ a: [1, { b: 'c' }] }) }],
  ])('is the JSON of %j', (value) => {
    expect(plainText(value)).toBe(JSON.stringify(value));
  });

  test('is the JSON of whatever JSON can tell', () => {
    const isJson = fc.property(fc.jsonValue(), (value) => {
      fc.pre(!JSON.stringify(value).includes('"$') && !JSON.stringify([value]).includes('-0'));
      expect(plainText(value)).toBe(JSON.stringify(value));
    });
    fc.assert(isJson);
  });

  test.each([
    ['no value', undefined],
    ['a number that JSON has not', Number.NaN],
    ['a zero with a sign', -0],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['no value in a list', [undefined]],
    ['a key that looks like a tag', { $date: 1 }],
    ['a frozen copy that needs tags', frozenCopy({ at: new Date(0) })],
  ])('is not there for %s, wherever it stands', (_, value) => {
    expect(plainText(value)).toBeUndefined();
    expect(plainText({ deep: [value] })).toBeUndefined();
  });

  test('is not there for what is deeper than Holdfast builds, and for what may be too large', () => {
    let value: unknown = 1;
    for (let level = 0; level < 24; level += 1) value = [value];
    expect(plainText(value)).toBe(JSON.stringify(value));
    expect(plainText([value])).toBeUndefined();
    expect(plainText('x'.repeat(maxBytes / 3))).toBeUndefined();
  });

  test('has nothing of what somebody gave to all objects', () => {
    const all = Object.prototype as { everywhere?: number };
    all.everywhere = 1;
    try {
      expect(plainText({ own: 1 })).toBe('{"own":1}');
    } finally {
      delete all.everywhere;
    }
  });
});
