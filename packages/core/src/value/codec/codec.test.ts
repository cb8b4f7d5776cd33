import { isDeepStrictEqual } from 'node:util';
import vm from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../errors/error-code.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { frozenCopy } from '../frozen/frozen-copy.ts';
import { decodeValue, encodeOwn, encodeValue } from './codec.ts';
import { survey } from './survey.ts';
import { strictly } from './walk.ts';

const hostileKeys = [
  '__proto__',
  'constructor',
  'toJSON',
  'hasOwnProperty',
  '$',
  '$date',
  '$$map',
  '$number',
  '',
  '0',
  '~/',
];

/** Any UTF-16, including lone surrogates. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
  .map((units) => String.fromCharCode(...units));
const anyKey = fc.oneof(
  fc.constantFrom(...hostileKeys),
  anyText,
  anyText.map((text) => `$${text}`),
);

/** Values as the codec returns them: no undefined in objects, plain prototypes. */
const { anyValue } = fc.letrec<{ anyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      anyText,
      fc.double(),
      fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.bigInt(),
      fc.date({ noInvalidDate: false }),
      fc.uint8Array({ maxLength: 20 }),
    ),
    fc.array(tie('anyValue'), { maxLength: 4 }),
    fc
      .array(fc.tuple(anyKey, tie('anyValue')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined))),
    fc.array(fc.tuple(tie('anyValue'), tie('anyValue')), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(tie('anyValue'), { maxLength: 3 }).map((items) => new Set(items)),
  ),
}));

/** Exact, including the order of keys. Independent of the code under test. */
function exactly(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return Object.is(a.getTime(), (b as Date).getTime());
  const [left, right] = [parts(a), parts(b)];
  return left.length === right.length && left.every((part, index) => exactly(part, right[index]));
}

function parts(object: object): readonly unknown[] {
  return object instanceof Map || object instanceof Set ? [...object] : Object.entries(object).flat(1);
}

function roundTrip(value: unknown): unknown {
  return decodeValue(encodeValue(value));
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function outcome(text: string): string {
  try {
    encodeValue(decodeValue(text));
    return 'value';
  } catch (error) {
    return HoldfastError.is(error) ? error.code : String(error);
  }
}

function failingWith(code: ErrorCode): unknown {
  return expect.objectContaining({ code });
}

describe('encodeValue()', () => {
  test('is undone by decodeValue() for every value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = encodeValue(value);
        expect(Buffer.from(text).toString()).toBe(text);
        expect(survey(value, strictly).size).toBe(Buffer.byteLength(text) - 1);
        expect(exactly(decodeValue(text), value)).toBe(true);
        expect(exactly(frozenCopy(value), value)).toBe(true);
        expect(encodeValue(decodeValue(text))).toBe(text);
        expect(encodeValue(frozenCopy(value))).toBe(text);
        expect(encodeOwn(value)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is plain JSON if JSON is enough', () => {
    const value = { v: 1, kind: 'superstep', at: 5, payload: { delta: { n: ['=', 1] }, next: ['b'], $a: 1 } };
    expect(encodeValue(value)).toBe(`j${JSON.stringify(value)}`);
  });

  test.each([
    [undefined, 'j{"$undefined":true}'],
    [[undefined], 'j[{"$undefined":true}]'],
    [{ a: undefined, b: 1 }, 'j{"b":1}'],
    [-0, 'j{"$number":"-0"}'],
    [Number.NaN, 'j{"$number":"NaN"}'],
    [12n, 'j{"$bigint":"12"}'],
    [new Date(0), 'j{"$date":"1970-01-01T00:00:00.000Z"}'],
    [new Date(Number.NaN), 'j{"$date":null}'],
    [new Map([['a', 1]]), 'j{"$map":[["a",1]]}'],
    [new Set(['a']), 'j{"$set":["a"]}'],
    [new Uint8Array([1, 2]), 'j{"$bytes":"AQI="}'],
    [{ $date: 'x' }, 'j{"$$date":"x"}'],
    [{ $$date: { $: 1 } }, 'j{"$$$date":{"$$":1}}'],
    [{ $date: 'x', a: undefined }, 'j{"$$date":"x"}'],
    [{ $date: 'x', a: -0 }, 'j{"$date":"x","a":{"$number":"-0"}}'],
    ['\ud800', 'j"\\ud800"'],
  ])('writes %o as %s', (value, text) => {
    expect(encodeValue(value)).toBe(text);
  });

  test('keeps __proto__ and the like as data', () => {
    const value: unknown = JSON.parse('{"__proto__":{"admin":true,"at":0},"constructor":{"prototype":1}}');
    expect(encodeValue(value)).toBe(`j${JSON.stringify(value)}`);
    const back = roundTrip({ inner: value, date: new Date(0) }) as { readonly inner: object };
    expect(Object.getPrototypeOf(back.inner)).toBe(Object.prototype);
    expect(Object.keys(back.inner)).toEqual(['__proto__', 'constructor']);
    expect('admin' in back.inner).toBe(false);
    const tagged = roundTrip(JSON.parse('{"a":{"__proto__":{"$x":1}}}')) as { readonly a: object };
    expect(JSON.stringify(tagged)).toBe('{"a":{"__proto__":{"$x":1}}}');
  });

  test('treats a null-prototype object as plain and a Buffer as bytes', () => {
    expect(isDeepStrictEqual(roundTrip(Object.assign(Object.create(null), { a: 1 })), { a: 1 })).toBe(true);
    expect(isDeepStrictEqual(roundTrip(Buffer.from('hi')), new Uint8Array([104, 105]))).toBe(true);
    const slice = new Uint8Array(new ArrayBuffer(8), 2, 3).fill(7);
    expect(roundTrip(slice)).toEqual(new Uint8Array([7, 7, 7]));
  });

  test('accepts objects of another realm', () => {
    const value: unknown = vm.runInNewContext(
      '({ a: [1, { b: null }], d: new Date(5), m: new Map([[1, 2]]), s: new Set([3]), u: new Uint8Array([4]) })',
    );
    const expected = {
      a: [1, { b: null }],
      d: new Date(5),
      m: new Map([[1, 2]]),
      s: new Set([3]),
      u: new Uint8Array([4]),
    };
    expect(isDeepStrictEqual(roundTrip(value), expected)).toBe(true);
    expect(isDeepStrictEqual(roundTrip(frozenCopy(value)), expected)).toBe(true);
  });

  test('accepts a value that appears several times', () => {
    const shared = { a: new Date(0) };
    expect(roundTrip([shared, shared, { shared }])).toEqual([shared, shared, { shared }]);
  });

  test('ignores non-enumerable properties, like JSON', () => {
    const value = Object.defineProperty({ a: 1 }, '_request_id', { value: 'hidden' });
    Object.defineProperty(value, Symbol('hidden'), { value: 1 });
    expect(roundTrip(value)).toEqual({ a: 1 });
  });

  test('accepts a toJSON that is only data', () => {
    expect(roundTrip({ toJSON: 'text', at: -0 })).toEqual({ toJSON: 'text', at: -0 });
  });
});

describe('encodeOwn()', () => {
  test('accepts a few more levels than a user may store', () => {
    expect(decodeValue(encodeOwn(nested(232)))).toEqual(nested(232));
    expect(() => encodeOwn(nested(233))).toThrow(failingWith('HOLDFAST_TOO_DEEP'));
  });

  test('still refuses what cannot be encoded', () => {
    expect(() => encodeOwn({ a: () => 1 })).toThrow(failingWith('HOLDFAST_UNSERIALIZABLE'));
    expect(() => encodeOwn([new URL('http://x')])).toThrow(failingWith('HOLDFAST_UNSERIALIZABLE'));
  });
});

describe('decodeValue()', () => {
  test.each(['x{}', ' {}', 'J1', '{"v":1}', '\0'])('refuses the unknown format of %j', (text) => {
    expect(() => decodeValue(text)).toThrow(failingWith('HOLDFAST_UNKNOWN_FORMAT'));
  });

  test.each([
    '',
    'j',
    'j{',
    'jundefined',
    'j1 2',
    'j{"$class":"Money"}',
    'j{"$":1}',
    'j{"$date":"yesterday"}',
    'j{"$date":"2020-01-01"}',
    'j{"$date":0}',
    'j{"$bigint":1}',
    'j{"$bigint":"0x10"}',
    'j{"$bigint":"-0"}',
    'j{"$bigint":""}',
    'j{"$number":"1"}',
    'j{"$undefined":0}',
    'j{"$bytes":"a"}',
    'j{"$bytes":"AQI"}',
    'j{"$bytes":[1]}',
    'j{"$set":{}}',
    'j{"$set":[1,1]}',
    'j{"$map":{}}',
    'j{"$map":[1]}',
    'j{"$map":[[1]]}',
    'j{"$map":[[1,2,3]]}',
    'j{"$map":[[1,2],[1,3]]}',
  ])('refuses the corrupt %s', (text) => {
    expect(() => decodeValue(text)).toThrow(failingWith('HOLDFAST_CORRUPT'));
  });

  test('refuses a text that is nested without end', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"$$":', '}'],
      ['{"$set":[', ']}'],
      ['{"$map":[[1,', ']]}'],
    ] as const) {
      const text = `j${open.repeat(20_000)}{"$set":[]}${close.repeat(20_000)}`;
      expect(() => decodeValue(text)).toThrow(failingWith('HOLDFAST_CORRUPT'));
    }
  });

  test('returns a value or throws a typed error for any text', () => {
    const corruption = fc.tuple(anyValue, fc.nat(), fc.nat(), anyText).map(([value, at, cut, text]) => {
      const whole = encodeValue(value);
      const from = 1 + (at % whole.length);
      return whole.slice(0, from) + text + whole.slice(from + (cut % 4));
    });
    fc.assert(
      fc.property(fc.oneof(corruption, anyText), (text) => {
        expect(outcome(text)).toMatch(/^(?:value|HOLDFAST_\w+)$/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('copies bytes out of the pool that Node shares', () => {
    const bytes = roundTrip(new Uint8Array([1, 2, 3])) as Uint8Array;
    expect(bytes.buffer.byteLength).toBe(3);
    expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
  });
});
