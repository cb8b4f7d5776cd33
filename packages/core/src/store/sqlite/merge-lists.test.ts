import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeLists } from './merge-lists.ts';

function listOf(
  items: readonly number[],
  asked: number[] = [],
): (after: number | undefined, count: number) => readonly number[] {
  return (after, count) => {
    asked.push(count);
    const from = after === undefined ? 0 : items.indexOf(after) + 1;
    return items.slice(from, from + count);
  };
}

const compare = (a: number, b: number): number => a - b;

test('gives the first of all lists in order', () => {
  const items = fc.uniqueArray(fc.tuple(fc.nat(), fc.nat({ max: 3 })), { selector: ([item]) => item });
  const inOrder = fc.property(items, fc.integer({ min: 1, max: 60 }), (items, limit) => {
    const sorted = items.toSorted(([a], [b]) => a - b);
    const lists = [0, 1, 2, 3].map((list) => sorted.filter((item) => item[1] === list).map(([item]) => item));
    const merged = mergeLists({ lists: lists.map((list) => listOf(list)), compare, limit });
    expect(merged).toEqual(sorted.slice(0, limit).map(([item]) => item));
  });
  fc.assert(inOrder);
});

test('asks a single list once for as many as are wanted', () => {
  const asked: number[] = [];
  mergeLists({ lists: [listOf([1, 2, 3, 4], asked)], compare, limit: 3 });
  expect(asked).toEqual([3]);
});

test('gives nothing of no list', () => {
  expect(mergeLists({ lists: [], compare, limit: 3 })).toEqual([]);
});
