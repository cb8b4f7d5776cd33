import { describe, expect, test } from 'vitest';
import {
  anyOf,
  anything,
  byField,
  isCount,
  isFlag,
  isLabel,
  isText,
  isTime,
  listOf,
  mapOf,
  nothing,
  nullable,
  objectOf,
  oneOf,
  optional,
  recordOf,
} from './data-shape.ts';

describe('a shape', () => {
  test('tells texts, labels, flags, counts and times from everything else', () => {
    expect([isText(''), isText(1), isFlag(false), isFlag(0), anything(undefined)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(['a', '', 'x'.repeat(256), 'a\0b', '\ud800', 'x'.repeat(257), 1].map(isLabel)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([0, 7, 2 ** 52, -1, 0.5, 2 ** 53 - 1, '1', Number.NaN].map(isCount)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([0, -1.5, 8.64e15, 9e15, Number.NaN, null].map(isTime)).toEqual([true, true, true, false, false, false]);
  });

  test('combines others', () => {
    expect([undefined, 'a', null].map(optional(isText))).toEqual([true, true, false]);
    expect([null, 'a', undefined].map(nullable(isText))).toEqual([true, true, false]);
    expect([1, 2, '1'].map(oneOf(1, 'x'))).toEqual([true, false, false]);
    expect(['a', true, 1].map(anyOf(isText, isFlag))).toEqual([true, true, false]);
    expect([[], ['a'], ['a', 1], 'a'].map(listOf(isText))).toEqual([true, true, false, false]);
    expect([{}, { a: 'b' }, { a: 1 }, []].map(recordOf(isText))).toEqual([true, true, false, false]);
    expect([new Map(), new Map([['a', 'b']]), new Map([['a', 1]]), new Map([[1, 'a']]), {}].map(mapOf(isText))).toEqual(
      [true, true, false, false, false],
    );
  });

  test('depends on a field', () => {
    const shape = byField({ text: objectOf({ text: isText }), flag: anything }, nothing);
    expect([{ text: 'a' }, { text: 1, flag: 1 }, { flag: 1 }, {}, 'a'].map(shape)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  test('looks at own fields only', () => {
    const shape = objectOf({ name: isText, toString: optional(isText) });
    expect([{ name: 'a' }, { name: 'a', more: 1 }, {}, null, ['a']].map(shape)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
