import { describe, expect, test } from 'vitest';
import type { GraphStructure } from '../graph/shape.ts';
import { editedChannels, patchOf, readEdited, removedChannels, runsAgain } from './fork-plan.ts';

describe('patchOf()', () => {
  test('names each difference by its pointer', () => {
    const before = { cents: 12_000, decision: { cents: 12_000, action: 'refund' }, log: ['a'] };
    const after = { cents: 5_000, decision: { cents: 5_000, action: 'refund' }, log: ['a', 'b'], 'a/b': 1 };
    expect(patchOf(before, after)).toEqual([
      { op: 'replace', path: '/cents', before: 12_000, after: 5_000 },
      { op: 'replace', path: '/decision/cents', before: 12_000, after: 5_000 },
      { op: 'add', path: '/log/1', after: 'b' },
      { op: 'add', path: '/a~1b', after: 1 },
    ]);
    expect(patchOf(before, structuredClone(before))).toEqual([]);
  });
});

describe('readEdited()', () => {
  test('takes an object, and says why anything else is none', () => {
    expect(readEdited('{"a":1}').state).toEqual({ a: 1 });
    expect(readEdited('[1]').problem).toMatch(/must be an object/u);
    expect(readEdited('{').problem).not.toBe('');
  });
});

test('only edited channels are set, and a channel cannot be taken out', () => {
  expect(editedChannels({ a: 1, b: [1] }, { a: 1, b: [2], c: null })).toEqual({ b: [2], c: null });
  expect(removedChannels({ a: 1, b: 2 }, { a: 1 })).toEqual(['b']);
});

describe('runsAgain()', () => {
  const structure: GraphStructure = {
    name: 'g',
    version: 1,
    nodes: ['approve', 'pay', 'decline', 'notify'].map((name) => ({ name, type: 'node' as const })),
    edges: (
      [
        ['approve', 'pay'],
        ['approve', 'decline'],
        ['pay', 'notify'],
        ['notify', 'approve'],
        ['notify', 'end'],
      ] as const
    ).map(([from, to]) => ({ from, to, type: 'edge' as const })),
    asks: [],
    receives: [],
  };

  test('is the next nodes and all that follows, with the effects marked', () => {
    const again = runsAgain(structure, ['approve'], { story: undefined, childEffects: new Set(['pay']) });
    expect(again.map(({ node, when, hasEffect }) => [node, when, hasEffect])).toEqual([
      ['approve', 'next', false],
      ['pay', 'later', true],
      ['decline', 'later', false],
      ['notify', 'later', false],
    ]);
  });

  test('without the code, the next nodes', () => {
    expect(runsAgain(undefined, ['x'], { story: undefined, childEffects: new Set() }).map(({ node }) => node)).toEqual([
      'x',
    ]);
  });
});
