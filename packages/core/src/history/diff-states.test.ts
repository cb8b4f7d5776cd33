import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellOf, type FoldState } from '../delta/cell.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { type Change, changesBetween } from './diff-states.ts';
import { snapshotBody } from './snapshot-body.ts';

function stateOf(values: Readonly<Record<string, unknown>>): FoldState {
  return new Map(Object.entries(values).map(([name, value]) => [name, cellOf(frozenCopy(value))]));
}

function diff(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): readonly Change[] {
  return [...changesBetween(stateOf(before), stateOf(after))];
}

describe('changesBetween()', () => {
  test('says what was added, removed and replaced, by channel and path', () => {
    expect(diff({ a: 1, gone: 'x', same: [1] }, { a: 2, new: true, same: [1] })).toEqual([
      { op: 'replace', path: '/a', before: 1, after: 2 },
      { op: 'remove', path: '/gone', before: 'x' },
      { op: 'add', path: '/new', after: true },
    ]);
  });

  test('goes into objects and lists', () => {
    const before = { o: { 'a/b': 1, 'c~d': { e: [1, 2, 3] }, f: 1 } };
    const after = { o: { 'a/b': 2, 'c~d': { e: [1, 5] }, g: 1 } };
    expect(diff(before, after)).toEqual([
      { op: 'replace', path: '/o/a~1b', before: 1, after: 2 },
      { op: 'replace', path: '/o/c~0d/e/1', before: 2, after: 5 },
      { op: 'remove', path: '/o/c~0d/e/2', before: 3 },
      { op: 'remove', path: '/o/f', before: 1 },
      { op: 'add', path: '/o/g', after: 1 },
    ]);
    expect(diff({ l: [1] }, { l: [1, 2, 3] })).toEqual([
      { op: 'add', path: '/l/1', after: 2 },
      { op: 'add', path: '/l/2', after: 3 },
    ]);
  });

  test('takes an undefined item for an item, and other kinds as they are', () => {
    expect(diff({ l: [undefined, 1] }, { l: [1, undefined] })).toEqual([
      { op: 'replace', path: '/l/0', before: undefined, after: 1 },
      { op: 'replace', path: '/l/1', before: 1, after: undefined },
    ]);
    const [early, late] = [new Date(1), new Date(2)];
    expect(diff({ d: early }, { d: late })).toHaveLength(1);
    expect(diff({ d: early }, { d: new Date(1) })).toEqual([]);
    expect(diff({ d: [1] }, { d: { 0: 1 } })).toHaveLength(1);
    expect(diff({ d: 1 }, { d: undefined })).toEqual([{ op: 'remove', path: '/d', before: 1 }]);
  });

  test('does not look at what is shared', () => {
    const state = stateOf({ a: { b: 1 } });
    expect([...changesBetween(state, new Map(state))]).toEqual([]);
  });

  test('is empty for equal states and only for them', () => {
    const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue());
    const property = fc.property(values, values, (before, after) => {
      const left = stateOf(before);
      const right = stateOf(after);
      const areEqual = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
      expect(changesBetween(left, right).next().done === true).toBe(areEqual);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });
});

function sorted(state: FoldState): unknown {
  return JSON.parse(JSON.stringify(snapshotBody(state).values), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
