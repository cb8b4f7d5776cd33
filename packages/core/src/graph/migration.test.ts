import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { problemsOf } from '../testing/untyped-graph.ts';
import { compiledOf } from './compile/compiled.ts';
import type { CompiledGraph } from './compile/compiled-graph.ts';
import { graph } from './graph.ts';
import type { Migration } from './migration.ts';

const state = (): object => ({});
const yes = { show: z.string(), answer: z.boolean() };

function compile(version: number, migrate: unknown): CompiledGraph {
  const given = { state: {}, asks: { yes }, version, migrate: migrate as Readonly<Record<number, Migration>> };
  return compiledOf(
    graph('g', given)
      .node('a', () => {})
      .edge('start', 'a')
      .edge('a', 'end')
      .compile(),
  );
}

describe('migrate', () => {
  test('accepts a function for the state', () => {
    const { migrations } = compile(2, { 1: (old: { a: number }) => ({ b: old.a }) });
    expect([...migrations.keys()]).toEqual([1]);
    expect(migrations.get(1)?.state({ a: 1 })).toEqual({ b: 1 });
    expect(migrations.get(1)).toMatchObject({ nodes: new Map(), asks: new Map() });
  });

  test('accepts a function and new names', () => {
    const { migrations } = compile(3, {
      1: { nodes: { x: 'gone-since' } },
      2: { state, nodes: { x: 'a' }, asks: { ok: 'yes' } },
    });
    expect(migrations.get(2)).toEqual({ state, nodes: new Map([['x', 'a']]), asks: new Map([['ok', 'yes']]) });
    expect(migrations.get(1)?.nodes).toEqual(new Map([['x', 'gone-since']]));
  });

  test('keeps what it does not name', () => {
    const old = { a: 1 };
    const migration = compile(2, { 1: {} }).migrations.get(1);
    expect(migration?.state(old)).toBe(old);
    expect(migration).toMatchObject({ nodes: new Map(), asks: new Map() });
  });

  test('may start after the first version', () => {
    expect([...compile(5, { 3: {}, 4: {} }).migrations.keys()]).toEqual([3, 4]);
  });

  test.each(['0', '2', '3', '-1', '1.5', '1.0', ' 1', '1e0', 'one'])(
    'refuses %o as a version to migrate from',
    (key) => {
      expect(problemsOf({ compile: () => compile(2, { [key]: {} }) })).toEqual([
        `"migrate" has the invalid key "${key}"`,
      ]);
    },
  );

  test.each([
    [[], ['"migrate" is not an object']],
    [() => ({}), ['"migrate" is not an object']],
    [{ 1: 'later' }, ['The migration from version "1": It must be a function']],
    [{ 1: { states: 1 } }, ['The migration from version "1": It has no option "states"']],
    [{ 1: { state: {} } }, ['The migration from version "1": "state" must be a function']],
    [{ 1: { nodes: [] } }, ['The migration from version "1": "nodes" must be an object from old names']],
    [{ 1: { asks: { a: 1 } } }, ['The migration from version "1": "asks" must give "a" a new name']],
    [{ 1: { nodes: { x: 'y' } } }, ['renames "x" to "y", but this version has no such node']],
    [{ 1: { asks: { x: 'a' } } }, ['renames "x" to "a", but this version has no such question']],
  ])('refuses %o', (migrate, problems) => {
    expect(problemsOf({ compile: () => compile(2, migrate) })).toEqual(
      problems.map((problem) => expect.stringContaining(problem) as unknown),
    );
  });
});
