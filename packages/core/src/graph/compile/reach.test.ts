import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { graph } from '../graph.ts';
import { compiledOf } from './compiled.ts';
import type { CompiledGraph } from './compiled-graph.ts';

interface Connections {
  /** Nodes, with where `goto` may lead. */
  readonly nodes: Readonly<Record<string, readonly string[]>>;
  readonly edges: readonly (readonly [from: string | readonly string[], to: string | readonly string[]])[];
  readonly routes?: readonly (readonly [from: string, to: readonly string[]])[];
}

interface LooseBuilder {
  node(name: string, fn: () => void, policy: object): LooseBuilder;
  edge(from: unknown, to: unknown): LooseBuilder;
  route(from: string, to: readonly string[], pick: () => string): LooseBuilder;
  compile(): unknown;
}

function compile({ nodes, edges, routes = [] }: Connections): CompiledGraph {
  let builder = graph('g', { state: { a: z.string() } }) as unknown as LooseBuilder;
  for (const [name, to] of Object.entries(nodes)) builder = builder.node(name, () => {}, { to });
  for (const [from, to] of edges) builder = builder.edge(from, to);
  for (const [from, to] of routes) builder = builder.route(from, to, () => 'end');
  return compiledOf(builder.compile());
}

/** What leads to each source of each join, sorted. */
function leading(connections: Connections): Record<string, Record<string, string>> {
  return Object.fromEntries(
    compile(connections).joins.map(({ key, leadingTo }) => [
      key,
      Object.fromEntries([...leadingTo].map(([source, nodes]) => [source, [...nodes].toSorted().join(' ')])),
    ]),
  );
}

describe('leadingTo', () => {
  test('is all that comes before, in a diamond', () => {
    const diamond: Connections = {
      nodes: { a: [], b: [], c: [], d: [], e: [] },
      edges: [
        ['start', 'a'],
        ['a', ['b', 'c']],
        ['c', 'd'],
        [['b', 'd'], 'e'],
        ['e', 'end'],
      ],
    };
    expect(leading(diamond)).toEqual({ 'b+d>e': { b: 'a b', d: 'a c d' } });
    expect(compile(diamond).hasCycle).toBe(false);
  });

  test('follows a route that may skip a source', () => {
    const skipping: Connections = {
      nodes: { a: [], b: [], c: [], d: [] },
      edges: [
        ['start', 'a'],
        [['b', 'c'], 'd'],
        ['d', 'end'],
      ],
      routes: [['a', ['b', 'c', 'end']]],
    };
    expect(leading(skipping)).toEqual({ 'b+c>d': { b: 'a b', c: 'a c' } });
  });

  test('does not pass through the target, in a loop', () => {
    const loop: Connections = {
      nodes: { ask: [], web: [], papers: [], judge: [] },
      edges: [
        ['start', 'ask'],
        ['ask', ['web', 'papers']],
        [['web', 'papers'], 'judge'],
      ],
      routes: [['judge', ['ask', 'end']]],
    };
    expect(leading(loop)).toEqual({ 'papers+web>judge': { web: 'ask web', papers: 'ask papers' } });
    expect(compile(loop).hasCycle).toBe(true);
  });

  test('goes round a loop that does not pass through the target', () => {
    const loop: Connections = {
      nodes: { a: [], b: [], c: ['a'], d: [], e: [] },
      edges: [
        ['start', ['a', 'd']],
        ['a', 'b'],
        ['b', 'c'],
        [['c', 'd'], 'e'],
        ['e', 'end'],
      ],
    };
    expect(leading(loop)).toEqual({ 'c+d>e': { c: 'a b c', d: 'd' } });
    expect(compile(loop).hasCycle).toBe(true);
  });

  test('follows gotos', () => {
    const jumping: Connections = {
      nodes: { a: ['c', 'end'], b: [], c: [], d: [] },
      edges: [
        ['start', ['a', 'b']],
        [['b', 'c'], 'd'],
        ['d', 'end'],
      ],
    };
    expect(leading(jumping)).toEqual({ 'b+c>d': { b: 'b', c: 'a c' } });
  });

  test('passes through another join, from each of its sources', () => {
    const nested: Connections = {
      nodes: { a: [], b: [], c: [], d: [], e: [] },
      edges: [
        ['start', ['a', 'b', 'd']],
        [['a', 'b'], 'c'],
        [['c', 'd'], 'e'],
        ['e', 'end'],
      ],
    };
    expect(leading(nested)).toEqual({ 'a+b>c': { a: 'a', b: 'b' }, 'c+d>e': { c: 'a b c', d: 'd' } });
  });

  test('stops at the own target where two joins follow each other round', () => {
    const round: Connections = {
      nodes: { a: [], b: [], c: [], d: [], e: [], f: [] },
      edges: [
        ['start', ['a', 'b']],
        [['a', 'b'], 'c'],
        ['c', ['d', 'e']],
        [['d', 'e'], 'f'],
      ],
      routes: [['f', ['a', 'b', 'end']]],
    };
    expect(leading(round)).toEqual({
      'a+b>c': { a: 'a d e f', b: 'b d e f' },
      'd+e>f': { d: 'a b c d', e: 'a b c e' },
    });
  });

  test('passes through none of several targets', () => {
    const several: Connections = {
      nodes: { a: [], b: [], c: [], d: [] },
      edges: [
        ['start', ['a', 'b']],
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
        ['d', 'end'],
      ],
      routes: [['c', ['a', 'b']]],
    };
    expect(leading(several)).toEqual({ 'a+b>c+d': { a: 'a', b: 'b' } });
  });

  test('has a source that is a target too, and what leads to it but for the join', () => {
    const lockstep: Connections = {
      nodes: { x: [], a: ['end'], b: [] },
      edges: [
        ['start', 'x'],
        ['x', ['a', 'b']],
        [
          ['a', 'b'],
          ['a', 'b'],
        ],
      ],
    };
    expect(leading(lockstep)).toEqual({ 'a+b>a+b': { a: 'a x', b: 'b x' } });
    expect(compile(lockstep).hasCycle).toBe(true);
  });

  test('is each join by itself where they share sources', () => {
    const sharing: Connections = {
      nodes: { a: [], b: [], c: [], d: [], e: [] },
      edges: [
        ['start', ['a', 'b', 'c']],
        [['a', 'b'], 'd'],
        [['b', 'c'], 'e'],
        [['d', 'e'], 'end'],
      ],
    };
    expect(leading(sharing)).toEqual({ 'a+b>d': { a: 'a', b: 'b' }, 'b+c>e': { b: 'b', c: 'c' } });
    const { nodes } = compile(sharing);
    expect(nodes.get('b')?.exits.joins.map(({ key }) => key)).toEqual(['a+b>d', 'b+c>e']);
    expect(nodes.get('a')?.exits.joins.map(({ key }) => key)).toEqual(['a+b>d']);
  });
});

const cyclic = (edges: Connections['edges'], to: readonly string[] = []): boolean =>
  compile({ nodes: { a: to, b: [] }, edges: [['start', 'a'], ['a', 'b'], ['b', 'end'], ...edges] }).hasCycle;

describe('hasCycle', () => {
  test('is false for a chain', () => {
    expect(cyclic([])).toBe(false);
  });

  test('is true for a node that leads to itself', () => {
    expect(cyclic([['a', 'a']])).toBe(true);
    expect(cyclic([], ['a'])).toBe(true);
  });

  test('is true for a way back', () => {
    expect(cyclic([['b', 'a']])).toBe(true);
  });

  test('is found in a chain of 5,000 nodes without running out of stack', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `n${index}`);
    const edges = names.map((name, index) => [name, names[index + 1] ?? 'end'] as const);
    const nodes = Object.fromEntries(names.map((name) => [name, []]));
    expect(compile({ nodes, edges: [['start', 'n0'], ...edges] }).hasCycle).toBe(false);
    expect(compile({ nodes, edges: [['start', 'n0'], ...edges, ['n4999', 'n17']] }).hasCycle).toBe(true);
  });
});
