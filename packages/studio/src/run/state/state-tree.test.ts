import type { StateNode } from '@holdfast/server/client';
import { describe, expect, test } from 'vitest';
import { changesByPath, openAtFirst, stateRows, textOf, withSlice } from './state-tree.ts';

const root: StateNode = {
  kind: 'object',
  size: 4,
  from: 0,
  items: [
    { key: 'order', node: { kind: 'string', value: 'ord_81' } },
    {
      key: 'messages',
      node: { kind: 'list', size: 7, from: 0, items: [{ key: 0, node: { kind: 'object', size: 2 } }] },
    },
    {
      key: 'a/b',
      node: { kind: 'object', size: 1, from: 0, items: [{ key: 'x', node: { kind: 'number', value: 1 } }] },
    },
    { key: 'tokens', node: { kind: 'number', value: 2871 } },
  ],
};
const changes = changesByPath([
  { op: 'add', path: '/messages/6', after: { role: 'assistant' } },
  { op: 'replace', path: '/tokens', before: 1204, after: 2871 },
]);

describe('stateRows()', () => {
  test('shows what is open, and what changed since the parent', () => {
    const rows = stateRows({ slices: new Map([['', root]]), open: new Set(['/a~1b']) }, changes);
    expect(rows.map(({ path, text, change, was }) => [path, text, change, was])).toEqual([
      ['/order', '"ord_81"', undefined, undefined],
      ['/messages', '7 items', 'changed', '6 → 7'],
      ['/a~1b', '{ x }', undefined, undefined],
      ['/a~1b/x', '1', undefined, undefined],
      ['/tokens', '2871', 'changed', '1204 → 2871'],
    ]);
  });

  test('has one row for all that was not sent', () => {
    const rows = stateRows({ slices: new Map([['', root]]), open: new Set(['/messages']) }, new Map());
    expect(rows.map(({ kind, text, from }) => [kind, text, from])[3]).toEqual(['more', '6 more of 6', 1]);
  });

  test('everything below an added value is added', () => {
    const added = changesByPath([{ op: 'add', path: '/a~1b', after: { x: 1 } }]);
    const rows = stateRows({ slices: new Map([['', root]]), open: openAtFirst(added) }, added);
    expect(rows.filter(({ change }) => change === 'added').map(({ path }) => path)).toEqual(['/a~1b', '/a~1b/x']);
  });
});

describe('withSlice()', () => {
  test('appends the next slice, and replaces by another', () => {
    const first: StateNode = {
      kind: 'list',
      size: 3,
      from: 0,
      items: [{ key: 0, node: { kind: 'number', value: 0 } }],
    };
    const next: StateNode = { kind: 'list', size: 3, from: 1, items: [{ key: 1, node: { kind: 'number', value: 1 } }] };
    const joined = withSlice(new Map([['/l', first]]), '/l', next).get('/l');
    expect(joined?.items?.map(({ key }) => key)).toEqual([0, 1]);
    expect(withSlice(new Map([['/l', next]]), '/l', first).get('/l')?.items).toHaveLength(1);
  });
});

describe('textOf()', () => {
  test('names what JSON lacks, and cuts long text with its length', () => {
    expect(textOf({ kind: 'set', size: 2 })).toBe('Set(2)');
    expect(textOf({ kind: 'object', size: 0 })).toBe('{}');
    expect(textOf({ kind: 'string', value: 'x'.repeat(300), size: 5_000 })).toMatch(/… 5,000 characters$/u);
  });
});
