import { describe, expect, test } from 'vitest';
import { graph } from '../graph.ts';
import { compiledOf } from './compiled.ts';
import type { Exits } from './compiled-graph.ts';

const three = graph('g', { state: {} })
  .node('a', () => {})
  .node('b', () => {})
  .node('c', () => {});
/** Reaches all of them, and all of them end. */
const whole = three.edge('start', ['a', 'b', 'c']).edge('a', 'end').edge('b', 'end').edge('c', 'end');

const pick = (): 'b' => 'b';

const shown = ({ edges, routes, joins }: Exits | undefined = { edges: [], routes: [], joins: [] }): unknown => ({
  edges,
  routes: routes.map(({ targets }) => [...targets]),
  joins: joins.map(({ key }) => key),
});

describe('edge()', () => {
  test('leads from one to one, and from one to several', () => {
    const { nodes, entry } = compiledOf(
      three.edge('start', 'a').edge('a', ['b', 'c']).edge('b', 'end').edge('c', 'end').compile(),
    );
    expect(shown(entry)).toEqual({ edges: ['a'], routes: [], joins: [] });
    expect(shown(nodes.get('a')?.exits)).toEqual({ edges: ['b', 'c'], routes: [], joins: [] });
    expect(shown(nodes.get('c')?.exits)).toEqual({ edges: ['end'], routes: [], joins: [] });
  });

  test('from one in an array is from one', () => {
    const { nodes, joins } = compiledOf(whole.edge(['a'], 'b').compile());
    expect(joins).toEqual([]);
    expect(shown(nodes.get('a')?.exits)).toEqual({ edges: ['end', 'b'], routes: [], joins: [] });
  });

  test('from the same node twice is from one', () => {
    expect(compiledOf(whole.edge(['a', 'a'], 'b').compile()).joins).toEqual([]);
  });

  test('from several is a join', () => {
    const { nodes, joins } = compiledOf(whole.edge(['b', 'a'], 'c').compile());
    expect(joins.map(({ key, sources, targets }) => ({ key, sources, targets }))).toEqual([
      { key: 'a+b>c', sources: ['b', 'a'], targets: ['c'] },
    ]);
    expect(shown(nodes.get('a')?.exits)).toEqual({ edges: ['end'], routes: [], joins: ['a+b>c'] });
    expect(nodes.get('b')?.exits.joins[0]).toBe(joins[0]);
  });

  test('given twice is there once', () => {
    const { nodes, joins } = compiledOf(
      whole.edge('a', 'b').edge('a', ['b', 'b']).edge(['a', 'b'], 'c').edge(['b', 'a'], ['c', 'c']).compile(),
    );
    expect(shown(nodes.get('a')?.exits)).toEqual({ edges: ['end', 'b'], routes: [], joins: ['a+b>c'] });
    expect(joins).toHaveLength(1);
  });

  test('from several to the end only waits for nothing', () => {
    const { nodes, joins } = compiledOf(three.edge('start', ['a', 'b', 'c']).edge(['a', 'b', 'c'], 'end').compile());
    expect(joins).toEqual([]);
    for (const name of ['a', 'b', 'c'])
      expect(shown(nodes.get(name)?.exits)).toEqual({ edges: ['end'], routes: [], joins: [] });
  });

  test('from several to a node and the end is a join with the node', () => {
    const untyped = whole as unknown as { edge(from: unknown, to: unknown): typeof whole };
    expect(compiledOf(untyped.edge(['a', 'b'], ['c', 'end']).compile()).joins[0]).toMatchObject({
      key: 'a+b>c',
      targets: ['c'],
    });
  });
});

describe('route()', () => {
  test('keeps its targets, each once, and the function that picks', () => {
    const { nodes, entry } = compiledOf(
      whole
        .route('a', ['b', 'end', 'b'], pick)
        .route('a', ['c'], () => [])
        .route('start', ['a'], () => 'a')
        .compile(),
    );
    expect(shown(nodes.get('a')?.exits)).toEqual({ edges: ['end'], routes: [['b', 'end'], ['c']], joins: [] });
    expect(nodes.get('a')?.exits.routes[0]?.pick).toBe(pick);
    expect(shown(entry)).toEqual({ edges: ['a', 'b', 'c'], routes: [['a']], joins: [] });
  });
});
