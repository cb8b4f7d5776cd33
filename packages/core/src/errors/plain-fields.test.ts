import { describe, expect, test } from 'vitest';
import { plainFields } from './plain-fields.ts';

describe('plainFields()', () => {
  test('has texts, finite numbers, flags and nulls, and nothing else', () => {
    const error = Object.assign(new Error('x', { cause: 'y' }), {
      status: 500,
      text: 'a',
      flag: true,
      none: null,
      infinite: Number.POSITIVE_INFINITY,
      big: 1n,
      object: {},
      call: () => 1,
      details: 'its own',
    });
    expect(plainFields(error)).toEqual({ status: 500, text: 'a', flag: true, none: null });
  });

  test('reads a code from the class, and passes over getters that throw', () => {
    class Odd extends Error {
      get code(): string {
        return 'ODD';
      }
    }
    const error = Object.defineProperty(new Odd('x'), 'status', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(plainFields(error)).toEqual({ code: 'ODD' });
  });

  test('never has more than 32', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, at]));
    expect(Object.keys(plainFields(many))).toHaveLength(32);
  });

  test('leaves the prototype alone', () => {
    const hostile = JSON.parse('{"__proto__": "x", "message": "y", "status": 1}') as object;
    expect(plainFields(hostile)).toEqual({ status: 1 });
  });
});
