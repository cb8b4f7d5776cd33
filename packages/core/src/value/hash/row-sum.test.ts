import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addToSum, emptySum } from './row-sum.ts';

type Value = number | string | null;

function sumOf(values: readonly unknown[]): number {
  return (values as Value[]).reduce<number>(addToSum, emptySum);
}

test('tells apart what looks alike', () => {
  const alike = [0, '', null, '0', 'null', new Uint8Array(), new Uint8Array(1), -1, 2 ** 32, 2 ** 32 - 1, 0.5, '0.5'];
  expect(new Set(alike.map((value) => sumOf([value]))).size).toBe(alike.length);
});

test('fits into four bytes', () => {
  const sum = sumOf(['some', 1, null, 2 ** 40]);
  expect(sum).toBe(sum | 0);
});

const bit = fc.integer({ min: 0, max: 30 });

test('is another one when a bit of a number is another', () => {
  const numbers = fc.array(fc.nat());
  const changed = fc.property(numbers, fc.nat(), numbers, bit, (before, value, after, bit) => {
    expect(sumOf([...before, value ^ (1 << bit), ...after])).not.toBe(sumOf([...before, value, ...after]));
  });
  fc.assert(changed);
});

test('is another one when a character of a text is another', () => {
  const code = fc.integer({ min: 32, max: 126 });
  const changed = fc.property(fc.string(), code, fc.string(), code, (before, one, after, other) => {
    fc.pre(one !== other);
    const text = (code: number): string => before + String.fromCharCode(code) + after;
    expect(sumOf([text(one)])).not.toBe(sumOf([text(other)]));
  });
  fc.assert(changed);
});
