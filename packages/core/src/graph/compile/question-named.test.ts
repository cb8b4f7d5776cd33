import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { list } from '../../channel/list.ts';
import { graph } from '../graph.ts';
import { compiledOf } from './compiled.ts';
import { questionNamed, questionNames } from './question-named.ts';

const ok = { show: z.string(), answer: z.boolean() };

const innermost = graph('innermost', { state: { log: list<string>() }, asks: { ok } })
  .node('a', () => ({}))
  .edge('start', 'a')
  .edge('a', 'end')
  .compile();
const inner = graph('inner', { state: { log: list<string>() }, asks: { may: ok } })
  .graph('deep', innermost, { in: () => ({}), out: () => ({}) })
  .edge('start', 'deep')
  .edge('deep', 'end')
  .compile();
const outer = compiledOf(
  graph('outer', { state: { log: list<string>() }, asks: { ok } })
    .graph('part', inner, { in: () => ({}), out: () => ({}) })
    .node('plain', () => ({}))
    .edge('start', 'part')
    .edge('part', 'plain')
    .edge('plain', 'end')
    .compile(),
);

describe('questionNamed()', () => {
  test.each(['ok', 'part/may', 'part/deep/ok'])('finds %s', (name) => {
    expect(questionNamed(outer, name)).toBeDefined();
  });

  test.each(['may', 'part/ok', 'part', 'part/', 'plain/ok', 'nowhere/ok', 'part/deep', '/ok', ''])(
    'finds no question named "%s"',
    (name) => {
      expect(questionNamed(outer, name)).toBeUndefined();
    },
  );
});

describe('questionNames()', () => {
  test('lists the questions of inner graphs too', () => {
    expect(questionNames(outer)).toEqual(['ok', 'part/may', 'part/deep/ok']);
  });
});
