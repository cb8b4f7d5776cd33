import { describe, expect, test } from 'vitest';
import { problemsOf, type UntypedGraph, untypedGraph } from '../../testing/untyped-graph.ts';

const fn = (): void => {};
/** A valid graph to add one problem to. */
const sound = untypedGraph('g', { state: {} })
  .node('a', fn)
  .node('b', fn)
  .edge('start', 'a')
  .edge('a', 'b')
  .edge('b', 'end');

describe('a builder in JavaScript', () => {
  test.each([
    ['node without a function', (builder: UntypedGraph) => builder.node('c'), ['c: It has no function']],
    [
      'each without functions',
      (builder: UntypedGraph) => builder.each('c'),
      ['c: It has no function for the items', 'c: It has no function for one item'],
    ],
    [
      'a policy that is none',
      (builder: UntypedGraph) => builder.node('c', fn, 'often'),
      ['c: The policy is not an object'],
    ],
    ['a policy of null', (builder: UntypedGraph) => builder.node('c', fn, null), ['c: The policy is not an object']],
    [
      'an unknown option',
      (builder: UntypedGraph) => builder.node('c', fn, { retries: 1 }),
      ['c: Its policy has no option "retries"'],
    ],
    [
      'goto out of each',
      (builder: UntypedGraph) => builder.each('c', fn, fn, { to: ['a'] }),
      ['c: Its policy has no option "to"'],
    ],
    [
      'concurrency of a node',
      (builder: UntypedGraph) => builder.node('c', fn, { concurrency: 1 }),
      ['c: Its policy has no option "concurrency"'],
    ],
    [
      'a bad concurrency',
      (builder: UntypedGraph) => builder.each('c', fn, fn, { concurrency: 0 }),
      ['c: "concurrency" must be an integer from 1 to 2 ** 52, or Infinity'],
    ],
    [
      'a bad catch',
      (builder: UntypedGraph) => builder.node('c', fn, { catch: 'all' }),
      ['c: "catch" must be a function that takes the error and returns an update'],
    ],
    [
      'a bad to',
      (builder: UntypedGraph) => builder.node('c', fn, { to: 'a' }),
      ['c: "to" must be an array with the names of the nodes that goto may lead to'],
    ],
    [
      'a bad name in to',
      (builder: UntypedGraph) => builder.node('c', fn, { to: ['a', 1] }),
      ['c: "to" must be an array with the names of the nodes that goto may lead to'],
    ],
    [
      'a bad retry',
      (builder: UntypedGraph) => builder.node('c', fn, { retry: { attempts: 0 } }),
      ['c: "retry.attempts" must be an integer of at least 1: the total number of attempts'],
    ],
    [
      'graph without anything',
      (builder: UntypedGraph) => builder.graph('c'),
      [
        'c: Its inner graph is not a graph',
        'c: "in" must be a function from the state to the input of the inner graph',
        'c: "out" must be a function from the output of the inner graph to an update of the state',
      ],
    ],
  ])('%s', (_what, add, problems) => {
    expect(problemsOf(add(sound).edge('a', 'c').edge('c', 'end'))).toEqual(problems);
  });

  test.each([
    [
      'edge without anything',
      (builder: UntypedGraph) => builder.edge(),
      ['An edge has no source', 'An edge has no target'],
    ],
    ['edge from nothing', (builder: UntypedGraph) => builder.edge([], 'a'), ['An edge has no source']],
    ['edge from a number', (builder: UntypedGraph) => builder.edge(1, 'a'), ['An edge has no source']],
    ['edge from a mixture', (builder: UntypedGraph) => builder.edge(['a', null], 'b'), ['An edge has no source']],
    ['edge to nothing', (builder: UntypedGraph) => builder.edge('a', []), ['The edge from "a" has no target']],
    [
      'edge to nothing from several',
      (builder: UntypedGraph) => builder.edge(['a', 'b'], null),
      ['The edge from "a" and "b" has no target'],
    ],
    [
      'route without anything',
      (builder: UntypedGraph) => builder.route(),
      ['A route has no source', 'A route has no targets', 'A route has no function'],
    ],
    ['route from several', (builder: UntypedGraph) => builder.route(['a', 'b'], ['a'], fn), ['A route has no source']],
    ['route to a text', (builder: UntypedGraph) => builder.route('a', 'b', fn), ['The route from "a" has no targets']],
    ['route to nothing', (builder: UntypedGraph) => builder.route('a', [], fn), ['The route from "a" has no targets']],
    [
      'route without a function',
      (builder: UntypedGraph) => builder.route('a', ['b'], 'b'),
      ['The route from "a" has no function'],
    ],
    [
      'route from the end',
      (builder: UntypedGraph) => builder.route('end', ['b'], fn),
      [`The route from "end" starts at 'end', where the run is over`],
    ],
  ])('%s', (_what, add, problems) => {
    expect(problemsOf(add(sound))).toEqual(problems);
  });
});
