import { describe, expect, test } from 'vitest';
import { type Cell, cellOf } from '../delta/cell.ts';
import { Vector } from '../delta/vector.ts';
import { decodeValue, encodeOwn } from '../value/codec/codec.ts';
import { snapshotBody, stateOfSnapshot, stateOfValues } from './snapshot-body.ts';

const state = new Map<string, Cell>([
  ['a', cellOf({ n: 1 })],
  ['gone', undefined],
  ['list', Vector.of([]).append([1, 2])],
  ['__proto__', cellOf(null)],
]);

describe('snapshotBody()', () => {
  test('is a plain value', () => {
    expect(JSON.stringify(snapshotBody(state))).toBe(
      '{"values":{"a":{"n":1},"list":[1,2],"__proto__":null},"unset":["gone"]}',
    );
    expect(snapshotBody(new Map())).toEqual({ values: {} });
  });
});

describe('stateOfSnapshot()', () => {
  test('is the state again', () => {
    const read = stateOfSnapshot(decodeValue(encodeOwn(snapshotBody(state))));
    expect(snapshotBody(read)).toEqual(snapshotBody(state));
    expect(read.has('gone')).toBe(true);
    expect([...read.keys()].toSorted()).toEqual([...state.keys()].toSorted());
  });

  test.each([[undefined], [5], [[]], [{}], [{ values: [] }], [{ values: {}, unset: 5 }], [{ values: {}, unset: [5] }]])(
    'refuses %j',
    (body) => {
      expect(() => stateOfSnapshot(body)).toThrow(expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }));
    },
  );
});

describe('stateOfValues()', () => {
  test('has a cell a key', () => {
    expect([...stateOfValues({ a: 1, b: [] })]).toEqual([
      ['a', 1],
      ['b', []],
    ]);
  });
});
