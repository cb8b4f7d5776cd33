import { describe, expect, test } from 'vitest';
import { parseDelta, parseDeltas } from './delta.ts';

const good: readonly unknown[] = [
  ['=', { any: [1] }],
  ['=', undefined],
  ['-'],
  ['+', [1]],
  ['+', 'text'],
  ['@', [[0, ['=', 1]]], [2]],
  [
    '~',
    [
      [0, 2, []],
      [3, 0, ['x']],
    ],
  ],
  ['o', { a: ['=', 1], b: ['o', {}, []] }, ['c']],
  ['o', JSON.parse('{"__proto__":["=",1]}'), []],
  [
    'm',
    [
      ['a', ['=', 1]],
      [2, ['m', [], []]],
    ],
    ['b', 3],
  ],
  ['s', ['a', 1], [2]],
];

const bad: readonly unknown[] = [
  undefined,
  null,
  'text',
  {},
  [],
  ['?'],
  ['='],
  ['=', 1, 2],
  ['-', 1],
  ['+', 5],
  ['+'],
  ['@', [], 5],
  ['@', [[-1, ['=', 1]]], []],
  ['@', [[0.5, ['=', 1]]], []],
  ['@', [[0, ['-']]], []],
  ['@', [[0, 1]], []],
  ['@', [0], []],
  ['@', 5, []],
  ['~', [[0, 1]]],
  ['~', [[0, 1, 5]]],
  ['~', [5]],
  ['~', 5],
  ['o', { a: ['-'] }, []],
  ['o', { a: 1 }, []],
  ['o', [], []],
  ['o', {}, [1]],
  ['o', {}, 'a'],
  ['o', {}],
  ['o', new Map(), []],
  ['m', [['a', ['-']]], []],
  ['m', [['a']], []],
  ['m', [[{}, ['=', 1]]], []],
  ['m', {}, []],
  ['m', []],
  ['m', [], [null]],
  ['s', [{}], []],
  ['s', ['a']],
  ['s', 'a', []],
];

describe('parseDelta()', () => {
  test.each(good.map((each) => ({ each })))('takes $each', ({ each }) => {
    expect(parseDelta(each)).toBe(each);
  });

  test.each(bad.map((each) => ({ each })))('refuses $each', ({ each }) => {
    expect(() => parseDelta(each)).toThrow(expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }));
  });
});

describe('parseDeltas()', () => {
  test('accepts one delta per channel', () => {
    const deltas = { a: ['-'], b: ['=', 1] };
    expect(parseDeltas(deltas)).toBe(deltas);
  });

  test.each([[undefined], [[]], [{ a: 1 }], [{ a: ['?'] }]])('refuses %j', (value) => {
    expect(() => parseDeltas(value)).toThrow(expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }));
  });
});
