import { describe, expect, test } from 'vitest';
import { frozenCopy } from '../frozen/frozen-copy.ts';
import { plainSize } from './plain-size.ts';

describe('plainSize()', () => {
  test.each([
    [null],
    [true],
    [12],
    ['text'],
    [[1, 'two', [3]]],
    [{ delta: { n: ['=', 1] }, next: ['a'], gone: undefined }],
    [{ around: frozenCopy({ a: [1, { b: 'c' }] }) }],
    [{}],
  ])('is at most what the JSON of %j takes, and not much less', (value) => {
    const { length } = JSON.stringify(value);
    expect(plainSize(value)).toBeLessThanOrEqual(length);
    expect(plainSize(value)).toBeGreaterThan(length / 3);
  });

  test.each([
    ['no value', undefined],
    ['a number that JSON has not', Number.NaN],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(1)],
    ['no value in a list', [undefined]],
    ['a key that looks like a tag', { $date: 1 }],
    ['a frozen copy that needs tags', frozenCopy({ at: new Date(0) })],
  ])('is not a number for %s, wherever it stands', (_, value) => {
    expect(plainSize(value)).toBeNaN();
    expect(plainSize({ deep: [value] })).toBeNaN();
  });

  test('is not a number for what is deeper than Holdfast builds', () => {
    let value: unknown = 1;
    for (let level = 0; level < 24; level += 1) value = [value];
    expect(plainSize(value)).not.toBeNaN();
    expect(plainSize([value])).toBeNaN();
  });
});
