import { describe, expect, test } from 'vitest';
import { isFrozenCopy } from '../value/frozen/frozen-copy.ts';
import { cellOf, readCell, vectorOf } from './cell.ts';
import { Vector } from './vector.ts';

describe('cellOf()', () => {
  test('freezes a copy and shares what is frozen', () => {
    const given = { a: [1] };
    const cell = cellOf(given);
    expect(readCell(cell)).toEqual(given);
    expect(readCell(cell)).not.toBe(given);
    expect(isFrozenCopy(readCell(cell))).toBe(true);
    expect(cellOf(readCell(cell))).toBe(cell);
  });

  test('has no cell for undefined', () => {
    expect(cellOf(undefined)).toBeUndefined();
  });
});

describe('readCell()', () => {
  test('reads a vector as an array', () => {
    expect(readCell(Vector.of([1]).append([2]))).toEqual([1, 2]);
  });
});

describe('vectorOf()', () => {
  test('gives a vector for a list only', () => {
    const vector = Vector.of([]);
    expect(vectorOf(vector)).toBe(vector);
    expect(vectorOf(cellOf([1]))?.toArray()).toEqual([1]);
    expect(vectorOf(cellOf({}))).toBeUndefined();
    expect(vectorOf(undefined)).toBeUndefined();
  });
});
