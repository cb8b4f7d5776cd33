import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { decodeValue, encodeOwn } from '../value/codec/codec.ts';
import { sameValue } from '../value/equal.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { applyDelta } from './apply-delta.ts';
import { cellOf, readCell } from './cell.ts';
import { type Delta, parseDelta } from './delta.ts';
import { diffValues } from './diff-values.ts';

const long = 'x'.repeat(100);
const items = (count: number): readonly { readonly n: number; readonly text: string }[] =>
  frozenCopy(Array.from({ length: count }, (_, n) => ({ n, text: long })));

const mapOf = (...keys: readonly string[]): ReadonlyMap<string, string> =>
  frozenCopy(new Map(keys.map((key) => [key, long])));

const clone = (value: unknown): unknown => frozenCopy(JSON.parse(JSON.stringify(value)));
const deep = (leaf: unknown): unknown => {
  let value = leaf;
  for (let level = 0; level < 190; level += 1) value = [long, value];
  return frozenCopy(value);
};

describe('diffValues()', () => {
  test.each<[string, unknown, unknown, Delta | undefined]>([
    ['nothing and nothing', undefined, undefined, undefined],
    ['a first value', undefined, 1, ['=', 1]],
    ['no value any more', 1, undefined, ['-']],
    ['the same number', Number.NaN, Number.NaN, undefined],
    ['the sign of zero', 0, -0, ['=', -0]],
    ['another number', 1, 2, ['=', 2]],
    ['null', { a: 1 }, null, ['=', null]],
    ['a short text', 'a', 'ab', ['=', 'ab']],
    ['a text that grows', long, `${long}y`, ['+', 'y']],
    ['equal dates', new Date(5), new Date(5), undefined],
    ['other dates', new Date(5), new Date(6), ['=', new Date(6)]],
    ['equal maps', new Map([[1, 2]]), new Map([[1, 2]]), undefined],
    ['a map that grows', mapOf('a'), mapOf('a', 'b'), ['m', [['b', ['=', long]]], []]],
    ['a set that grows', new Set([long]), frozenCopy(new Set([long, 1])), ['s', [1], []]],
    ['equal sets', new Set([long]), new Set([long]), undefined],
    ['entries in another order', mapOf('a', 'b'), mapOf('b', 'a'), ['=', mapOf('b', 'a')]],
    ['an entry that comes first', mapOf('a'), mapOf('b', 'a'), ['=', mapOf('b', 'a')]],
    ['items in another order', new Set([long, 1]), new Set([1, long]), ['=', new Set([1, long])]],
    ['keys without a name', new Map([[null, long]]), new Map([[null, 'x']]), ['=', new Map([[null, 'x']])]],
    ['a new key without a name', new Map(), new Map([[true, 1]]), ['=', new Map([[true, 1]])]],
    ['items without a name', new Set([1n]), new Set([1n, 2]), ['=', new Set([1n, 2])]],
    ['a new item without a name', new Set([1]), new Set([1, null]), ['=', new Set([1, null])]],
    ['another kind', [1], { 0: 1 }, ['=', { 0: 1 }]],
    ['equal objects', { a: { b: [1] } }, { a: { b: [1] } }, undefined],
    ['a list that grows', [1], [1, 2, 3], ['+', [2, 3]]],
    ['equal lists', [1, { a: 1 }], [1, { a: 1 }], undefined],
    ['a small object', { a: 1, b: 2 }, { a: 2, b: 3 }, ['=', { a: 2, b: 3 }]],
  ])('describes %s', (_name, before, after, delta) => {
    expect(diffValues(before, after)).toEqual(delta);
  });

  test('describes the changed keys of an object at any depth', () => {
    const before = frozenCopy({ a: { b: { c: 1, long }, long }, gone: 1, long });
    const after = frozenCopy({ a: { b: { c: 2, long }, long }, long, fresh: true });
    expect(diffValues(before, after)).toEqual([
      'o',
      { a: ['o', { b: ['o', { c: ['=', 2] }, []] }, []], fresh: ['=', true] },
      ['gone'],
    ]);
  });

  test('describes the changed entries of a map at any depth', () => {
    const before = frozenCopy({
      m: new Map([
        ['a', { n: 1, long }],
        ['b', { n: 2, long }],
        ['c', { n: 3, long }],
      ]),
    });
    const after = frozenCopy({
      m: new Map([
        ['a', { n: 1, long }],
        ['c', { n: 4, long }],
      ]),
    });
    expect(diffValues(before, after)).toEqual(['o', { m: ['m', [['c', ['o', { n: ['=', 4] }, []]]], ['b']] }, []]);
  });

  test('describes an item that changed in place by its own delta', () => {
    const before = items(10);
    const after = frozenCopy(before.map((item) => (item.n === 4 ? { ...item, n: 40 } : item)));
    expect(diffValues(before, after)).toEqual(['@', [[4, ['o', { n: ['=', 40] }, []]]], []]);
    expect(diffValues(before, frozenCopy([...after, 'new']))).toEqual([
      '@',
      [[4, ['o', { n: ['=', 40] }, []]]],
      ['new'],
    ]);
  });

  test('describes dropped, moved and inserted items by runs', () => {
    const before = items(10);
    expect(diffValues(before, frozenCopy(before.slice(0, 7)))).toEqual(['~', [[0, 7, []]]]);
    expect(diffValues(before, frozenCopy([...before.slice(0, 7), 'new']))).toEqual(['~', [[0, 7, ['new']]]]);
    expect(diffValues(before, frozenCopy(before.slice(3)))).toEqual(['~', [[3, 7, []]]]);
    expect(diffValues(before, frozenCopy([...before.slice(1), 'new']))).toEqual(['~', [[1, 9, ['new']]]]);
    expect(diffValues(before, frozenCopy(before.toSpliced(4, 1)))).toEqual([
      '~',
      [
        [0, 4, []],
        [5, 5, []],
      ],
    ]);
    expect(diffValues(before, frozenCopy(before.toSpliced(4, 0, { n: -1, text: '' })))).toEqual([
      '~',
      [
        [0, 4, [{ n: -1, text: '' }]],
        [4, 6, []],
      ],
    ]);
    expect(diffValues(before, frozenCopy(before.toReversed()))?.[0]).toBe('~');
  });

  test('finds what is equal in lists that share nothing', () => {
    const before = items(10);
    expect(diffValues(before, clone(before))).toBeUndefined();
    expect(diffValues(before, clone([...before, 1]))).toEqual(['+', [1]]);
    expect(diffValues(before, clone(before.with(4, { n: 4, text: 'short' })))).toEqual([
      '@',
      [[4, ['o', { text: ['=', 'short'] }, []]]],
      [],
    ]);
    expect(diffValues(before, clone(before.toSpliced(4, 2)))).toEqual([
      '~',
      [
        [0, 4, []],
        [6, 4, []],
      ],
    ]);
  });

  test('does not name short runs of numbers', () => {
    const before = frozenCopy(Array.from({ length: 50 }, (_, index) => index));
    const after = frozenCopy([7, 8, 1000, ...before.slice(20)]);
    expect(diffValues(before, after)).toEqual([
      '~',
      [
        [0, 0, [7, 8, 1000]],
        [20, 30, []],
      ],
    ]);
  });

  test('returns the whole value if a delta would be larger', () => {
    const before = frozenCopy(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index])));
    const after = frozenCopy(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index + 1])));
    expect(diffValues(before, after)?.[0]).toBe('=');
    expect(diffValues(before, {})).toEqual(['=', {}]);
  });

  test('skips parts that are the same by reference', () => {
    const shared = frozenCopy({ large: items(1000) });
    const objects = [frozenCopy({ shared, long, a: 1 }), frozenCopy({ shared, long, a: 2 })];
    const lists = [frozenCopy([shared, 1]), frozenCopy([shared, 1, 2])];
    const keys = vi.spyOn(Object, 'keys');
    expect(diffValues(objects[0], objects[1])).toEqual(['o', { a: ['=', 2] }, []]);
    const looked = keys.mock.calls.map(([object]) => object);
    expect(diffValues(lists[0], lists[1])).toEqual(['+', [2]]);
    keys.mockRestore();
    expect(looked.includes(shared) || looked.includes(shared.large)).toBe(false);
  });

  test('treats __proto__ like any other key', () => {
    const before = frozenCopy(JSON.parse(`{"__proto__":{"a":1,"b":"${long}"},"c":"${long}"}`) as object);
    const after = frozenCopy(JSON.parse(`{"__proto__":{"a":2,"b":"${long}"},"c":"${long}"}`) as object);
    const delta = diffValues(before, after) as Delta;
    expect(JSON.stringify(delta)).toBe('["o",{"__proto__":["o",{"a":["=",2]},[]]},[]]');
    expect(JSON.stringify(readCell(applyDelta(cellOf(before), delta)))).toBe(JSON.stringify(after));
    const without = frozenCopy({ c: long });
    expect(diffValues(before, without)).toEqual(['o', {}, ['__proto__']]);
    expect(diffValues(without, before)?.[0]).toBe('o');
  });

  test('keeps deltas of deep values shallow enough to be written', () => {
    const delta = diffValues(deep(1), deep(2)) as Delta;
    expect(sameValue(readCell(applyDelta(cellOf(deep(1)), delta)), deep(2))).toBe(true);
    expect(encodeOwn(delta).length).toBeLessThan(190 * 110);
  });
});

const leaf = fc.oneof(
  fc.constantFrom(0, -0, 1, Number.NaN, true, null, '', 'text', long, 7n),
  fc.date(),
  fc.uint8Array({ maxLength: 4 }),
  fc.string({ maxLength: 30 }),
);
const mapKey = fc.oneof(fc.constantFrom('a', 'b', '1', '', long, 1, 2.5, Number.NaN), fc.constantFrom(null, true, 5n));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '$date'), tie('value'), { maxKeys: 4 }),
    fc.array(fc.tuple(mapKey, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.array(mapKey, { maxLength: 4 }).map((items) => new Set(items)),
  ),
}));

/** Changes parts of a value and shares the rest, like reducers. */
function mutate(old: unknown, other: unknown, choices: readonly number[]): unknown {
  const [choice = 0, ...rest] = choices;
  if (Array.isArray(old)) {
    const place = old.length === 0 ? 0 : choice % old.length;
    const list = old as readonly unknown[];
    const versions: readonly (() => readonly unknown[])[] = [
      () => [...list, other],
      () => list.slice(0, place),
      () => list.slice(place),
      () => [...list.slice(place), other],
      () => list.toSpliced(place, 1),
      () => list.toSpliced(place, 0, other),
      () => list.toReversed(),
      () => [...list, ...list],
      () => (list.length === 0 ? list : list.with(place, mutate(list[place], other, rest))),
    ];
    return versions[choice % versions.length]?.();
  }
  if (typeof old === 'object' && old !== null && Object.getPrototypeOf(old) === Object.prototype) {
    const entries = Object.entries(old);
    const place = entries.length === 0 ? 0 : choice % entries.length;
    const changed = entries.flatMap(([key, each], index) =>
      index !== place ? [[key, each]] : choice % 3 === 0 ? [] : [[key, mutate(each, other, rest)]],
    );
    return Object.fromEntries([...changed, ...(choice % 5 === 0 ? [['fresh', other]] : [])]);
  }
  if (old instanceof Map) {
    const entries = [...(old as ReadonlyMap<unknown, unknown>)];
    const place = entries.length === 0 ? 0 : choice % entries.length;
    if (choice % 7 === 0) entries.reverse();
    const kept = entries.flatMap(([key, each], index): [unknown, unknown][] =>
      index !== place ? [[key, each]] : choice % 3 === 0 ? [] : [[key, mutate(each, other, rest)]],
    );
    return new Map([...kept, ...(choice % 2 === 0 ? [['fresh', other] as const] : [])]);
  }
  if (old instanceof Set) {
    const items = [...(old as ReadonlySet<unknown>)].filter((_, index) => index % 3 !== choice % 3);
    return new Set(choice % 2 === 0 ? [...items, 'fresh', choice] : items.toReversed());
  }
  return typeof old === 'string' && choice % 2 === 0 ? `${old}more` : other;
}

/** Applies the delta between the two to the first, after encoding and decoding it. */
function retold(before: unknown, after: unknown): unknown {
  const delta = diffValues(before, after);
  if (delta === undefined) return before;
  const text = encodeOwn(delta);
  if (text.length > encodeOwn(['=', after]).length * 1.25 + 48) return new Error(`too large: ${text}`);
  const direct = readCell(applyDelta(cellOf(before), delta));
  const read = readCell(applyDelta(cellOf(before), parseDelta(decodeValue(text))));
  return sameValue(direct, read) ? read : new Error('reading makes a difference');
}

test('a delta, written and read, turns the one value into the other and is hardly larger than it', () => {
  const told = fc.property(value, value, fc.array(fc.nat(1000), { maxLength: 5 }), (first, other, choices) => {
    const before = frozenCopy(first ?? null);
    for (const after of [frozenCopy(other ?? null), frozenCopy(mutate(before, frozenCopy(other), choices) ?? null)]) {
      if (!sameValue(retold(before, after), after)) return false;
    }
    return true;
  });
  expect(() => fc.assert(told, { numRuns: 500 })).not.toThrow();
});
