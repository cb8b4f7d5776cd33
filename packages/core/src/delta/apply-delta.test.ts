import { describe, expect, test } from 'vitest';
import { frozenCopy, isFrozenCopy } from '../value/frozen/frozen-copy.ts';
import { applyDelta, CellDraft } from './apply-delta.ts';
import { type Cell, cellOf, readCell } from './cell.ts';
import type { Delta } from './delta.ts';
import { Vector } from './vector.ts';

const after = (before: unknown, delta: Delta): unknown => readCell(applyDelta(cellOf(before), delta));

describe('applyDelta()', () => {
  test.each<[string, unknown, Delta, unknown]>([
    ['sets', 1, ['=', { a: 1 }], { a: 1 }],
    ['unsets', 1, ['-'], undefined],
    ['appends to a list', [1], ['+', [2, 3]], [1, 2, 3]],
    ['appends to a text', 'ab', ['+', 'cd'], 'abcd'],
    ['puts in place', [1, { a: 1 }], ['@', [[1, ['o', { b: ['=', 2] }, []]]], [3]], [1, { a: 1, b: 2 }, 3]],
    ['keeps the beginning', [1, 2, 3], ['~', [[0, 2, [9]]]], [1, 2, 9]],
    [
      'takes runs',
      [1, 2, 3, 4],
      [
        '~',
        [
          [2, 2, [9]],
          [0, 1, []],
        ],
      ],
      [3, 4, 9, 1],
    ],
    ['empties a list', [1], ['~', []], []],
    ['changes keys', { a: 1, b: 2 }, ['o', { a: ['=', 3], c: ['=', 4] }, ['b']], { a: 3, c: 4 }],
    ['changes inner lists', { a: [1, 2] }, ['o', { a: ['@', [[0, ['=', 5]]], [6]] }, []], { a: [5, 2, 6] }],
    ['appends to inner lists', { a: [1] }, ['o', { a: ['+', [2]] }, []], { a: [1, 2] }],
    ['takes runs of inner lists', { a: [1, 2] }, ['o', { a: ['~', [[1, 1, []]]] }, []], { a: [2] }],
    [
      'changes entries of a Map where they are, and adds others at the end',
      new Map<unknown, unknown>([
        ['gone', 1],
        ['a', [1]],
        [2, 'x'],
      ]),
      [
        'm',
        [
          ['a', ['+', [2]]],
          [2, ['=', 'y']],
          ['b', ['=', 3]],
        ],
        ['gone'],
      ],
      new Map<unknown, unknown>([
        ['a', [1, 2]],
        [2, 'y'],
        ['b', 3],
      ]),
    ],
    ['changes items of a Set', { a: new Set([1, 2]) }, ['o', { a: ['s', ['x'], [1]] }, []], { a: new Set([2, 'x']) }],
    ['appends to inner texts', { a: 'x' }, ['o', { a: ['+', 'y'] }, []], { a: 'xy' }],
  ])('%s', (_name, before, delta, expected) => {
    expect(after(before, delta)).toEqual(expected);
  });

  test.each<[string, unknown, Delta]>([
    ['a text is no list', 'a', ['+', [1]]],
    ['a list is no text', [1], ['+', 'a']],
    ['nothing is no list', undefined, ['+', [1]]],
    ['a put past the end', [1], ['@', [[1, ['=', 1]]], []]],
    ['a put in no list', {}, ['@', [], []]],
    ['keeping more than there is', [1], ['~', [[0, 2, []]]]],
    ['a run past the end', [1], ['~', [[1, 1, []]]]],
    ['a run of no list', {}, ['~', [[1, 1, []]]]],
    ['keys of a list', [1], ['o', {}, []]],
    ['keys of null', null, ['o', {}, []]],
    ['entries of an object', {}, ['m', [], []]],
    ['items of a list', [1], ['s', [], []]],
    ['an inner put past the end', { a: [1] }, ['o', { a: ['@', [[1, ['=', 1]]], []] }, []]],
    ['an inner append to no list', { a: 1 }, ['o', { a: ['+', [1]] }, []]],
    ['no value inside a value', { a: 1 }, ['o', { a: ['-'] }, []]],
    ['keys of a key that is not there', {}, ['o', { a: ['o', {}, []] }, []]],
    ['keys of a map', new Map(), ['o', {}, []]],
  ])('refuses what does not fit: %s', (_name, before, delta) => {
    expect(() => after(before, delta)).toThrow(expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }));
  });

  test('does not change the old cell', () => {
    const before = cellOf({ a: [1, { b: 2 }], c: 'x' });
    const text = JSON.stringify(readCell(before));
    applyDelta(before, ['o', { a: ['@', [[1, ['o', { b: ['=', 3] }, []]]], [4]] }, ['c']]);
    expect(JSON.stringify(readCell(before))).toBe(text);
  });

  test('returns frozen copies that share what did not change', () => {
    const before = frozenCopy({ a: { deep: [1] }, b: 1 });
    const next = after(before, ['o', { b: ['=', { fresh: [] }] }, []]) as typeof before;
    expect(isFrozenCopy(next)).toBe(true);
    expect(isFrozenCopy(next.b)).toBe(true);
    expect(next.a).toBe(before.a);
  });

  test('freezes the items that it appends', () => {
    const [first, second] = after([{}], ['+', [{ a: 1 }]]) as readonly unknown[];
    expect(isFrozenCopy(first) && isFrozenCopy(second)).toBe(true);
    const [put] = after([{}], ['@', [[0, ['=', { a: 1 }]]], []]) as readonly unknown[];
    expect(isFrozenCopy(put)).toBe(true);
  });

  test('turns a plain list into a vector without copying it', () => {
    expect(applyDelta(cellOf([1]), ['+', [2]])).toBeInstanceOf(Vector);
  });

  test('treats __proto__ and constructor like any other key', () => {
    const changes = JSON.parse('{"__proto__":["=",{"evil":1}],"constructor":["=",2]}') as Record<string, Delta>;
    const made = after({ a: 1 }, ['o', changes, []]) as object;
    expect(Object.keys(made)).toEqual(['a', '__proto__', 'constructor']);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(made, '__proto__')?.value).toEqual({ evil: 1 });
    const changed = after(made, [
      'o',
      JSON.parse('{"__proto__":["o",{"evil":["=",2]},[]]}') as Record<string, Delta>,
      [],
    ]) as object;
    expect(Object.getOwnPropertyDescriptor(changed, '__proto__')?.value).toEqual({ evil: 2 });
    expect(Object.keys(after(changed, ['o', {}, ['__proto__']]) as object)).toEqual(['a', 'constructor']);
    expect('evil' in {}).toBe(false);
  });
});

const fold = (before: unknown, deltas: readonly Delta[]): unknown => {
  const draft = new CellDraft(cellOf(before));
  for (const delta of deltas) draft.apply(delta);
  return readCell(draft.finish());
};

describe('CellDraft', () => {
  test.each<[string, unknown, readonly Delta[]]>([
    [
      'keys',
      { a: 1 },
      [
        ['o', { a: ['=', 2] }, []],
        ['o', { b: ['=', { c: 1 }] }, []],
        ['o', { b: ['o', { c: ['=', 2] }, []] }, []],
      ],
    ],
    [
      'inner lists',
      { a: [] },
      [
        ['o', { a: ['+', [{ b: 1 }]] }, []],
        ['o', { a: ['+', [{ b: 2 }]] }, []],
        ['o', { a: ['@', [[0, ['o', { b: ['=', 3] }, []]]], []] }, []],
      ],
    ],
    [
      'runs, then an append',
      [1, 2, 3],
      [
        [
          '~',
          [
            [2, 1, []],
            [0, 1, []],
          ],
        ],
        ['+', [4]],
        ['~', [[0, 1, [5]]]],
      ],
    ],
    [
      'an item in two places',
      { a: [{ n: 1 }] },
      [
        ['o', { a: ['@', [[0, ['o', { n: ['=', 2] }, []]]], []] }, []],
        [
          'o',
          {
            a: [
              '~',
              [
                [0, 1, []],
                [0, 1, []],
              ],
            ],
          },
          [],
        ],
        ['o', { a: ['@', [[0, ['o', { n: ['=', 3] }, []]]], []] }, []],
      ],
    ],
  ])('gives the same result as one delta at a time: %s', (_name, before, deltas) => {
    let cell: Cell = cellOf(before);
    for (const delta of deltas) cell = applyDelta(cell, delta);
    expect(fold(before, deltas)).toEqual(readCell(cell));
  });

  test('does not change the values in the deltas', () => {
    const value = { c: 1 };
    expect(
      fold({}, [
        ['o', { b: ['=', value] }, []],
        ['o', { b: ['o', { c: ['=', 2] }, []] }, []],
      ]),
    ).toEqual({ b: { c: 2 } });
    expect(value).toEqual({ c: 1 });
  });

  test('copies the value once, not once per delta', () => {
    let copies = 0;
    const value = {
      /** Copying the value reads this property. */
      get other() {
        copies += 1;
        return 'other';
      },
    };
    const draft = new CellDraft(value as unknown as Cell);
    for (let index = 0; index < 1_000; index += 1) draft.apply(['o', { [`key${index}`]: ['=', index] }, []]);
    expect(readCell(draft.finish())).toMatchObject({ other: 'other', key0: 0, key999: 999 });
    expect(copies).toBe(1);
  });
});
