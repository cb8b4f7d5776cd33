import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldDeltas } from '../history/fold.ts';
import { snapshotBody, stateOfValues } from '../history/snapshot-body.ts';
import { frozenCopy, frozenCopyLike } from '../value/frozen/frozen-copy.ts';
import { diffChannels } from './diff-channels.ts';
import { shareParts } from './share-parts.ts';

const messages = (...ids: readonly number[]): readonly object[] => ids.map((id) => ({ id, text: `message ${id}` }));

describe('shareParts()', () => {
  test('gives back the parts that are equal', () => {
    const before = frozenCopy({ list: messages(1, 2), page: { a: { n: 1 }, b: { n: 2 } }, at: new Date(0) });
    const after = frozenCopy({ list: messages(1, 2, 3), page: { a: { n: 1 }, b: { n: 3 } }, at: new Date(0) });
    const shared = shareParts(before, after) as typeof before;
    expect(shared).toEqual(after);
    expect(shared.list[0]).toBe(before.list[0]);
    expect(shared.page.a).toBe(before.page.a);
    expect(shared.at).toBe(before.at);
    expect(shareParts(before, frozenCopy(structuredClone(before)))).toBe(before);
  });

  test('gives back the entries of a map that are equal', () => {
    const before = frozenCopy({
      pages: new Map([
        ['a', { n: 1 }],
        ['b', { n: 2 }],
      ]),
    });
    const after = frozenCopy({
      pages: new Map([
        ['a', { n: 1 }],
        ['b', { n: 3 }],
        ['c', { n: 4 }],
      ]),
    });
    const shared = shareParts(before, after) as typeof before;
    expect(shared).toEqual(after);
    expect(shared.pages.get('a')).toBe(before.pages.get('a'));
    expect(shared.pages.get('b')).not.toBe(before.pages.get('b'));
  });

  test('finds items that moved because others were dropped', () => {
    const before = frozenCopy(messages(1, 2, 3, 4, 5));
    const shared = shareParts(before, frozenCopy(messages(2, 3, 4, 5, 6))) as readonly unknown[];
    expect(shared.slice(0, 4).every((item, index) => item === before[index + 1])).toBe(true);
  });

  test.each([
    ['another kind', { a: [1] }, { a: { 0: 1 } }],
    ['a part that is new', { a: 1 }, { b: { c: 1 } }],
    ['nothing in common', [1, 2], ['x', 'y', 'z']],
    ['a value that is none', { a: { b: 1 } }, { a: null }],
  ])('takes %s as it is', (_, before, after) => {
    const copy = frozenCopy(after);
    expect(shareParts(frozenCopy(before), copy)).toEqual(copy);
  });
});

const state = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

describe('diffChannels()', () => {
  test('turns any state into any other', () => {
    fc.assert(
      fc.property(state, state, (a, b) => {
        const [before, after] = [frozenCopy(a), frozenCopy(b)];
        const { deltas, values } = diffChannels(before, after);
        expect(values).toEqual(after);
        expect(snapshotBody(foldDeltas(stateOfValues(before), [deltas])).values).toEqual(after);
      }),
    );
  });
});

describe('frozenCopyLike()', () => {
  test('is the same as a copy, whatever it resembles', () => {
    fc.assert(
      fc.property(state, state, (a, b) => {
        const like = frozenCopy({ ...a, ...b });
        expect(frozenCopyLike(a, like)).toEqual(frozenCopy(a));
        expect(frozenCopyLike(structuredClone(like), like)).toBe(like);
      }),
    );
  });

  test('leaves out what has become undefined', () => {
    const like = frozenCopy({ a: 1, b: { c: 2 }, d: 3 });
    const copy = frozenCopyLike<object>({ a: undefined, b: { c: 2 }, d: 4 }, like);
    expect(copy).toEqual({ b: { c: 2 }, d: 4 });
    expect(Object.keys(copy)).toEqual(['b', 'd']);
    expect(frozenCopyLike<object>({ a: 1, b: { c: 2 } }, like)).toEqual({ a: 1, b: { c: 2 } });
  });
});
