import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { list } from '../../channel/list.ts';
import { invalidGraphOf, problemsOf, type UntypedGraph, untypedGraph } from '../../testing/untyped-graph.ts';
import { goto } from '../goto.ts';
import { graph } from '../graph.ts';
import { compiledOf } from './compiled.ts';
import type { Problem } from './problem.ts';

const fn = (): void => {};
const run = (): { log: string } => ({ log: 'a' });
const onError = (): { log: string } => ({ log: 'no' });
const untyped = (name: unknown = 'g'): UntypedGraph => untypedGraph(name, { state: {} });

/** A valid graph to add one problem to. */
const sound = untyped().node('a', fn).node('b', fn).edge('start', 'a').edge('a', 'b').edge('b', 'end');

describe('compile()', () => {
  test('returns nodes, edges and names for the runner', () => {
    const approve = { show: z.string(), answer: z.boolean() };
    const emits = z.string();
    const ping = z.number();
    const compiled = compiledOf(
      graph('g', {
        state: { topic: z.string(), log: list<string>() },
        asks: { approve },
        receives: { ping },
        emits,
        version: 3,
      })
        .node('a', run, { timeout: '1s', catch: onError, to: ['b', 'end'] })
        .node('b', () => goto('a'), { to: ['a'] })
        .edge('start', 'a')
        .edge('a', 'b')
        .compile(),
    );
    expect(compiled).toMatchObject({ name: 'g', version: 3, emits, input: undefined, hasCycle: true, joins: [] });
    expect([...compiled.channels.keys()]).toEqual(['topic', 'log']);
    expect([...compiled.asks]).toEqual([['approve', approve]]);
    expect([...compiled.receives]).toEqual([['ping', ping]]);
    expect([...compiled.nodes.keys()]).toEqual(['a', 'b']);
    expect(compiled.nodes.get('a')).toEqual({
      name: 'a',
      work: { type: 'node', run },
      policy: { retry: undefined, timeoutMs: 1000 },
      isOnce: false,
      catch: onError,
      to: new Set(['b', 'end']),
      exits: { edges: ['b'], routes: [], joins: [] },
    });
    expect(compiled.migrations.size).toBe(0);
  });

  test('defaults to version 1', () => {
    expect(compiledOf(sound.compile()).version).toBe(1);
  });

  test('reports one problem in a sentence', () => {
    const error = invalidGraphOf(sound.node('c', fn).edge('a', 'c'));
    expect(error.message).toBe(
      `Graph "g" has a problem. Node "c": It leads nowhere. Add .edge(node, 'end') or another edge.`,
    );
    expect(error.details).toEqual({
      graph: 'g',
      problems: [{ node: 'c', what: "It leads nowhere. Add .edge(node, 'end') or another edge." }],
    });
  });

  test('reports several problems together, one per line', () => {
    const builder = untypedGraph('bad name', { state: { 'a b': 1 }, version: 0 })
      .node('a', 'no function', { timeout: 'x' })
      .node('end', fn)
      .node('b', fn)
      .node('b', fn)
      .edge('a', 'zzz');
    const error = invalidGraphOf(builder);
    expect(error.message.split('\n')[0]).toBe('Graph "bad name" has 12 problems:');
    expect(error.message.split('\n').slice(1)).toEqual(
      (error.details['problems'] as readonly Problem[]).map(({ node, what }) =>
        node === undefined ? `- ${what}` : `- Node "${node}": ${what}`,
      ),
    );
    expect(problemsOf(builder)).toEqual([
      '"bad name" is not a valid graph name',
      '"version" must be an integer of at least 1',
      '"a b" is not a valid channel name',
      'a: It has no function',
      'a: "timeout": Invalid duration: "x"',
      'end: "end" is a reserved name',
      'b: Several nodes have this name',
      'a: The edge from "a" leads to "zzz", which is not a node',
      'It has no start',
      "a: It cannot be reached from 'start'",
      "b: It cannot be reached from 'start'",
      'b: It leads nowhere',
    ]);
  });

  test('requires a node', () => {
    expect(problemsOf(untyped())).toEqual(['It has no nodes']);
    expect(problemsOf(untyped().edge('start', 'end'))).toEqual(['It has no nodes']);
  });

  test.each([
    ['no edge', (builder: UntypedGraph) => builder],
    ['an edge to the end', (builder: UntypedGraph) => builder.edge('start', 'end')],
    ['a route to the end', (builder: UntypedGraph) => builder.route('start', ['end'], () => 'end')],
  ])('requires an edge from the start: %s', (_what, add) => {
    const builder = add(untyped().node('a', fn).edge('a', 'end'));
    expect(problemsOf(builder)).toEqual(['It has no start', "a: It cannot be reached from 'start'"]);
  });

  test('accepts a route from the start, and an edge from start to end next to another', () => {
    const node = untyped().node('a', fn).edge('a', 'end');
    expect(node.route('start', ['a', 'end'], () => 'end').compile()).toBeDefined();
    expect(node.edge('start', 'a').edge('start', 'end').compile()).toBeDefined();
  });

  test.each(['start', 'end'])('refuses %s as the name of a node', (name) => {
    expect(problemsOf(sound.node(name, fn))).toEqual([`${name}: "${name}" is a reserved name`]);
  });

  test.each(['', 'a/b', '1', 'a b', 'constructor', '__proto__'])('refuses %o as the name of a node', (name) => {
    expect(problemsOf(sound.node(name, fn).edge('start', name).edge(name, 'end'))).toEqual([
      `${name}: "${name}" is not a valid node name`,
    ]);
  });

  test.each([undefined, null, 1, Symbol('a'), {}])('refuses %o as the name of a node', (name) => {
    expect(problemsOf(sound.node(name, fn))).toEqual([expect.stringMatching(/is not a valid node name$/)]);
  });

  test('refuses a name that several nodes have, once', () => {
    expect(problemsOf(sound.node('a', fn).each('a', fn, fn))).toEqual(['a: Several nodes have this name']);
  });

  test.each([
    [
      'an edge',
      (builder: UntypedGraph) => builder.edge('a', 'x'),
      'a: The edge from "a" leads to "x", which is not a node',
    ],
    [
      'an edge from start',
      (builder: UntypedGraph) => builder.edge('start', 'x'),
      'The edge from "start" leads to "x", which is not a node',
    ],
    [
      'a route',
      (builder: UntypedGraph) => builder.route('a', ['b', 'x'], fn),
      'a: The route from "a" leads to "x", which is not a node',
    ],
    [
      'a join',
      (builder: UntypedGraph) => builder.edge(['a', 'b'], 'x'),
      'The edge from "a" and "b" leads to "x", which is not a node',
    ],
    [
      'a goto',
      (builder: UntypedGraph) => builder.node('c', fn, { to: ['x'] }).edge('a', 'c'),
      'c: "to" names "x", which is not a node',
    ],
    [
      'a goto to start',
      (builder: UntypedGraph) => builder.node('c', fn, { to: ['start'] }).edge('a', 'c'),
      'c: "to" names "start", which is not a node',
    ],
    [
      'an edge to start',
      (builder: UntypedGraph) => builder.edge('a', 'start'),
      `a: The edge from "a" leads to 'start', which is not a node`,
    ],
  ])('refuses a target that is not a node: %s', (_what, add, problem) => {
    expect(problemsOf(add(sound))).toEqual([problem]);
  });

  test.each([
    [
      'an edge',
      (builder: UntypedGraph) => builder.edge('x', 'a'),
      'The edge from "x" starts at "x", which is not a node',
    ],
    [
      'an edge to nothing',
      (builder: UntypedGraph) => builder.edge('x', 'y').edge('b', 'a'),
      'The edge from "x" starts at "x", which is not a node',
    ],
    [
      'a route',
      (builder: UntypedGraph) => builder.route('x', ['a'], fn),
      'The route from "x" starts at "x", which is not a node',
    ],
    [
      'a join',
      (builder: UntypedGraph) => builder.edge(['a', 'x'], 'b'),
      'The edge from "a" and "x" starts at "x", which is not a node',
    ],
    [
      'the end',
      (builder: UntypedGraph) => builder.edge('end', 'a'),
      `The edge from "end" starts at 'end', where the run is over`,
    ],
    [
      'a join with start',
      (builder: UntypedGraph) => builder.edge(['start', 'a'], 'b'),
      `An edge from several nodes includes 'start'`,
    ],
  ])('refuses a source that is not a node: %s', (_what, add, problem) => {
    expect(problemsOf(add(sound))[0]).toBe(problem);
  });

  test('refuses unreachable nodes', () => {
    expect(problemsOf(sound.node('c', fn).node('d', fn).edge('c', 'd').edge('d', ['c', 'end']))).toEqual([
      "c: It cannot be reached from 'start'",
      "d: It cannot be reached from 'start'",
    ]);
  });

  test.each([
    ['an edge', (builder: UntypedGraph) => builder.edge('a', 'c')],
    ['a route', (builder: UntypedGraph) => builder.route('a', ['c'], fn)],
    ['a join', (builder: UntypedGraph) => builder.edge(['a', 'b'], 'c')],
    ['a goto', (builder: UntypedGraph) => builder.node('d', fn, { to: ['c'] }).edge('a', 'd')],
    ['start', (builder: UntypedGraph) => builder.edge('start', 'c')],
    ['a route from start', (builder: UntypedGraph) => builder.route('start', ['c'], fn)],
  ])('reaches a node by %s', (_what, add) => {
    expect(add(sound.node('c', fn).edge('c', 'end')).compile()).toBeDefined();
  });

  test.each([
    ['an edge', (builder: UntypedGraph) => builder.node('c', fn).edge('c', 'end')],
    ['a route', (builder: UntypedGraph) => builder.node('c', fn).route('c', ['a', 'end'], fn)],
    ['a join', (builder: UntypedGraph) => builder.node('c', fn).edge(['b', 'c'], 'a')],
    ['a goto', (builder: UntypedGraph) => builder.node('c', fn, { to: ['end'] })],
  ])('lets a node out by %s', (_what, add) => {
    expect(add(sound).edge('a', 'c').compile()).toBeDefined();
  });

  test('refuses a join that can never fire', () => {
    const builder = sound.node('c', fn).node('d', fn).node('e', fn).edge(['c', 'd'], 'e').edge(['e', 'a'], 'b');
    expect(problemsOf(builder)).toEqual([
      "c: It cannot be reached from 'start'",
      "d: It cannot be reached from 'start'",
      "e: It cannot be reached from 'start'",
      `The edge from "c" and "d" to "e" can never be taken: none of its sources can be reached from 'start'`,
    ]);
  });

  test('accepts a join with a source that comes after it', () => {
    expect(sound.node('c', fn).edge(['a', 'c'], 'b').edge('b', 'c').compile()).toBeDefined();
  });

  test('reports a name that is not a string', () => {
    expect(invalidGraphOf(untyped(42).node('a', fn).edge('start', 'a').edge('a', 'end')).message).toMatch(
      /^A graph has a problem\. a value of type number is not a valid graph name\./,
    );
  });
});
