import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { frozenCopy } from '../frozen/frozen-copy.ts';
import { decodeValue, encodeValue } from './codec.ts';
import { isStorable } from './survey.ts';

interface Refusal {
  readonly code: string;
  readonly path: unknown;
  readonly limit: unknown;
  readonly message: string;
}

function failure(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    const { code, message, details } = error;
    return { code, path: details['path'], limit: details['limit'], message };
  }
  throw new Error('did not throw');
}

/** How a value is refused. The encoder and the copy must give the same location and the same message. */
function refusal(value: unknown): Refusal {
  const refused = failure(() => encodeValue(value));
  expect(failure(() => frozenCopy(value))).toEqual(refused);
  return refused;
}

function roundTrip(value: unknown): unknown {
  return decodeValue(encodeValue(value));
}

function at(path: string): Partial<Refusal> {
  return { code: 'HOLDFAST_UNSERIALIZABLE', path };
}

function nested(levels: number, inner: unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function nothing(): void {}

function ran(): never {
  throw new Error('ran');
}

/** Gives an object hidden methods that must not be called. */
function hide<T extends object>(object: T, ...names: (string | symbol)[]): T {
  for (const name of names) Object.defineProperty(object, name, { value: ran });
  return object;
}

describe('what cannot be stored', () => {
  class Money {
    readonly cents = 1;
  }
  class Late extends Date {}
  class Table extends Map {}
  class Rows extends Array {}
  class Data extends Uint8Array {}

  test.each<[string, unknown, RegExp]>([
    ['a function', (): void => {}, /is a function/],
    ['a symbol', Symbol('s'), /is a symbol/],
    ['an instance', new Money(), /is an instance of Money .*plain object/],
    ['an Error', new Error('x'), /is an Error/],
    ['a Promise', Promise.resolve(), /is a Promise.*Await/],
    ['a typed array', new Float64Array(1), /is an instance of Float64Array .*Uint8Array/],
    ['an ArrayBuffer', new ArrayBuffer(1), /is an instance of ArrayBuffer/],
    ['a RegExp', /x/, /is an instance of RegExp/],
    ['a WeakMap', new WeakMap(), /is an instance of WeakMap/],
    ['a boxed number', Object(1), /is an instance of Number/],
    ['a subclass of Date', new Late(), /is an instance of Late/],
    ['a subclass of Map', new Table(), /is an instance of Table/],
    ['a subclass of Array', new Rows(), /is an instance of Rows/],
    ['a subclass of bytes', new Data(), /is an instance of Data/],
    ['a false date', Object.create(Date.prototype), /is an instance of Date/],
    ['a false array', Object.setPrototypeOf([], new Proxy([], {})), /with a custom prototype/],
    ['an heir of a plain object', Object.create({ a: 1 }), /with a custom prototype/],
    ['an heir of an object without prototype', Object.create(Object.create(null) as object), /with a custom prototype/],
    ['an heir of a proxy', Object.create(new Proxy({}, {})), /with a custom prototype/],
    ['an object with a false constructor', Object.create({ constructor: 1 }), /with a custom prototype/],
    ['an object with a proxy as constructor', Object.create({ constructor: new Proxy(Money, {}) }), /custom prototype/],
    [
      'a class without a name',
      Object.create({ constructor: Object.defineProperty((): void => {}, 'name', { value: 1 }) }),
      /custom prototype/,
    ],
    ['a deep heir', Object.create(Object.create(Object.create(Object.create({})))), /with a custom prototype/],
    ['a symbol as a key', { [Symbol('s')]: 1 }, /has Symbol\(s\) as a key/],
    ['a symbol as a key of an array', Object.assign([1], { [Symbol('s')]: 1 }), /has Symbol\(s\) as a key/],
    ['a property of a Date', Object.assign(new Date(0), { zone: 'CET' }), /with the own property zone/],
    ['a property of a Map', Object.assign(new Map(), { extra: 1 }), /with the own property extra/],
    ['a symbol of a Set', Object.assign(new Set(), { [Symbol('s')]: 1 }), /with the own property Symbol\(s\)/],
  ])('refuses %s', (_, value, message) => {
    expect(refusal(value)).toMatchObject({ ...at(''), message: expect.stringMatching(message) });
    expect(refusal({ a: [0, value] })).toMatchObject({ ...at('/a/1'), message: expect.stringMatching(message) });
  });

  test('refuses holes and properties of arrays', () => {
    const sparse = [1, 2, 3];
    Reflect.deleteProperty(sparse, 1);
    expect(refusal({ a: sparse })).toMatchObject(at('/a/1'));
    expect(refusal(Object.assign([], { length: 5 }))).toMatchObject(at('/0'));
    expect(refusal([Object.assign([1], { extra: 2 })])).toMatchObject(at('/0/extra'));
    expect(refusal(/b/.exec('abc'))).toMatchObject(at('/index'));
    const balanced: unknown[] = Object.assign([1, 2], { extra: 3 });
    Reflect.deleteProperty(balanced, 0);
    expect(refusal(balanced)).toMatchObject(at('/0'));
    expect(refusal(Object.defineProperty([1], 0, { enumerable: false }))).toMatchObject(at('/0'));
  });

  test('refuses accessors without running them', () => {
    const descriptor: PropertyDescriptor = { enumerable: true, get: ran };
    expect(refusal({ a: Object.defineProperty({}, 'b', descriptor) })).toMatchObject(at('/a/b'));
    expect(refusal([1, Object.defineProperty([0, 0], 1, descriptor)])).toMatchObject(at('/1/1'));
    expect(refusal(Object.defineProperty({}, 'a', { enumerable: true, set: nothing }))).toMatchObject(at('/a'));
    expect(refusal(Object.defineProperty([0], 0, { enumerable: true, set: nothing }))).toMatchObject(at('/0'));
  });

  test('refuses proxies without running their traps', () => {
    const traps = new Proxy(
      {},
      {
        get: (_, trap) => () => {
          throw new Error(`ran ${String(trap)}`);
        },
      },
    );
    expect(refusal({ a: new Proxy({}, traps) })).toMatchObject(at('/a'));
    expect(refusal([new Proxy([], traps)])).toMatchObject(at('/0'));
    expect(refusal([new Proxy(new Date(), traps)])).toMatchObject(at('/0'));
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(refusal(revoked.proxy)).toMatchObject(at(''));
  });

  test('refuses a toJSON without calling it', () => {
    expect(refusal({ a: { toJSON: ran } })).toMatchObject(at('/a/toJSON'));
    expect(refusal({ a: hide({ b: 1 }, 'toJSON') })).toMatchObject(at('/a'));
    expect(refusal([hide([1], 'toJSON')])).toMatchObject(at('/0'));
    const getter = Object.defineProperty({ b: 1 }, 'toJSON', { get: ran });
    expect(refusal(getter)).toMatchObject(at(''));
  });

  test('runs no method that a Map, Set, Date or array carries', () => {
    const value = [
      hide(new Map([[1, 2]]), Symbol.iterator, 'entries', 'forEach'),
      hide(new Set([1]), Symbol.iterator, 'values', 'forEach'),
      hide(new Date(5), 'getTime', 'toISOString', 'toJSON', 'valueOf'),
      hide([1], Symbol.iterator, 'map', 'slice'),
      hide({ a: -0 }, 'toString', 'valueOf'),
    ];
    expect(isDeepStrictEqual(roundTrip(value), [new Map([[1, 2]]), new Set([1]), new Date(5), [1], { a: -0 }])).toBe(
      true,
    );
    expect(isDeepStrictEqual(roundTrip(frozenCopy(value)), roundTrip(value))).toBe(true);
  });

  test('names the location with a JSON pointer', () => {
    expect(refusal({ 'a/b': { '~': nothing } })).toMatchObject(at('/a~1b/~0'));
    expect(refusal({ '': nothing })).toMatchObject(at('/'));
    expect(refusal(new Map<unknown, unknown>(Object.entries({ k: 1, l: nothing })))).toMatchObject(at('/1/1'));
    expect(refusal(new Map([[{ a: nothing }, 1]]))).toMatchObject(at('/0/0/a'));
    expect(refusal([new Set([0, nothing])])).toMatchObject(at('/0/1'));
    expect(refusal(Object.fromEntries([['__proto__', nothing]]))).toMatchObject(at('/__proto__'));
  });

  test('shows little of a long path', () => {
    const refused = refusal({ [`${'x'.repeat(500)}\n`]: nothing });
    expect(refused).toMatchObject(at(`/${'x'.repeat(500)}\n`));
    expect(refused.message.length).toBeLessThan(200);
  });

  test('refuses a cycle and names where it closes', () => {
    const tree: Record<string, unknown> = { children: [{ name: 'leaf' }] };
    (tree['children'] as unknown[]).push({ parent: tree });
    expect(refusal(tree)).toMatchObject({
      ...at('/children/1/parent'),
      message: expect.stringMatching(/refers back to the whole value/),
    });
    const inner: unknown[] = [];
    inner.push([inner]);
    expect(refusal({ a: inner })).toMatchObject({
      ...at('/a/0/0'),
      message: expect.stringMatching(/refers back to \/a,/),
    });
    const map = new Map<string, unknown>();
    map.set('me', map);
    expect(refusal(map)).toMatchObject(at('/0/1'));
    const set = new Set<unknown>();
    set.add({ set });
    expect(refusal(set)).toMatchObject(at('/0/set'));
  });

  test('accepts 200 levels and refuses 201', () => {
    expect(roundTrip(nested(200, 1))).toEqual(nested(200, 1));
    expect(roundTrip(nested(200, new Date(0)))).toEqual(nested(200, new Date(0)));
    const error = failure(() => encodeValue(nested(201, 1)));
    expect(error).toMatchObject({ code: 'HOLDFAST_TOO_DEEP', limit: 200 });
    expect(failure(() => encodeValue(nested(200, [1]))).code).toBe('HOLDFAST_TOO_DEEP');
    expect(failure(() => encodeValue(nested(100_000, 1))).code).toBe('HOLDFAST_TOO_DEEP');
    const half = frozenCopy(nested(100, 1));
    expect(encodeValue(nested(100, half))).toBe(encodeValue(nested(200, 1)));
    expect(failure(() => encodeValue(nested(101, half))).code).toBe('HOLDFAST_TOO_DEEP');
  });

  test('accepts 16 MiB of text and refuses more', () => {
    const most = 16 * 1024 * 1024;
    expect(encodeValue('x'.repeat(most - 2))).toHaveLength(most + 1);
    expect(failure(() => encodeValue('x'.repeat(most - 1)))).toMatchObject({
      code: 'HOLDFAST_TOO_LARGE',
      limit: most,
    });
    expect(failure(() => encodeValue('é'.repeat(most / 2))).code).toBe('HOLDFAST_TOO_LARGE');
    expect(failure(() => encodeValue('\0'.repeat(most / 4))).code).toBe('HOLDFAST_TOO_LARGE');
    expect(failure(() => encodeValue([new Uint8Array(most)])).code).toBe('HOLDFAST_TOO_LARGE');
    expect(failure(() => encodeValue([frozenCopy(['x'.repeat(most - 10)]), 'more than ten'])).code).toBe(
      'HOLDFAST_TOO_LARGE',
    );
    expect(failure(() => frozenCopy('x'.repeat(most))).code).toBe('HOLDFAST_TOO_LARGE');
    // The copy counts the same bytes: what it accepts can be written.
    expect(failure(() => frozenCopy('漢'.repeat(6e6))).code).toBe('HOLDFAST_TOO_LARGE');
    expect(frozenCopy('漢'.repeat(5e6))).toHaveLength(5e6);
    const half = frozenCopy(['x'.repeat(most / 2)]);
    expect(failure(() => encodeValue([half, half])).code).toBe('HOLDFAST_TOO_LARGE');
  });

  test('refuses a bigint of more than 10,000 digits, and to read one', () => {
    const most = 10n ** 10_000n - 1n;
    for (const value of [most, -most]) expect(roundTrip(value)).toBe(value);
    for (const value of [most + 1n, -most - 1n, 1n << 26_000_000n])
      expect(refusal(value)).toMatchObject({ code: 'HOLDFAST_TOO_LARGE', limit: 10_000 });
    const digits = '9'.repeat(8_000_000);
    expect(failure(() => decodeValue(`j{"$bigint":"${digits}"}`)).code).toBe('HOLDFAST_CORRUPT');
  });

  test('refuses more than a million values, however small they are', () => {
    expect(frozenCopy(Array.from({ length: 999_999 }, () => 1))).toHaveLength(999_999);
    expect(refusal(Array.from({ length: 1_000_000 }, () => 1))).toMatchObject({ code: 'HOLDFAST_TOO_LARGE' });
    let bomb: unknown = [];
    for (let level = 0; level < 30; level++) bomb = [bomb, bomb];
    expect(refusal(bomb)).toMatchObject({ code: 'HOLDFAST_TOO_LARGE', limit: 1_000_000 });
  });

  test('refuses a small value whose text would be endless, without writing it', () => {
    let bomb: unknown = ['boom'.repeat(500)];
    for (let level = 0; level < 100; level++) bomb = [bomb, bomb];
    expect(failure(() => encodeValue(bomb)).code).toBe('HOLDFAST_TOO_LARGE');
    let frozen: unknown = ['boom'];
    const grow = (): void => {
      for (let level = 0; level < 100; level++) frozen = frozenCopy({ frozen, again: frozen });
    };
    expect(failure(grow).code).toBe('HOLDFAST_TOO_LARGE');
  });
});

describe('isStorable()', () => {
  test('tells whether values that are fine by themselves are too large together', () => {
    const half = frozenCopy('x'.repeat(9 * 1_048_576));
    expect(isStorable({ half })).toBe(true);
    expect(isStorable([half, half])).toBe(false);
  });
});
