import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { graph } from '../graph.ts';
import { workflow } from '../workflow.ts';

const yes = { show: z.string(), answer: z.boolean() };
const fn = (): void => {};
const definition = { state: { a: z.string(), b: z.string() }, asks: { yes }, receives: { ping: z.number() } };
const nodes = graph('g', definition)
  .node('x', fn)
  .node('y', fn)
  .node('z', fn, { to: ['x', 'end'] });
const base = nodes
  .edge('start', ['x', 'y'])
  .edge(['x', 'y'], 'z')
  .route('x', ['y', 'end'], () => 'end');
const fingerprint = base.compile().fingerprint;

describe('fingerprint', () => {
  test('is 16 hex digits, the same in every process', () => {
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    const chain = graph('g', { state: {} }).node('a', fn).edge('start', 'a').edge('a', 'end');
    expect(chain.compile().fingerprint).toBe('29f44b9db6a2c5ea');
  });

  test('does not depend on code, version, schemas or the order of declarations', () => {
    const same = graph('g', {
      receives: { ping: z.string() },
      asks: { yes: { show: z.number(), answer: z.number() } },
      state: { b: z.number(), a: z.number() },
      emits: z.string(),
      version: 7,
      migrate: { 6: (old) => old },
    })
      .node('z', async () => {}, { to: ['end', 'x'], timeout: 5 })
      .node('y', fn, { retry: { attempts: 2 } })
      .node('x', fn)
      .route('x', ['end', 'y'], () => 'y')
      .edge(['y', 'x'], 'z')
      .edge('start', 'y')
      .edge('start', 'x');
    expect(same.compile().fingerprint).toBe(fingerprint);
  });

  const again = (name: string, given: object): typeof base => {
    const begun = graph(name, { ...definition, ...given })
      .node('x', fn)
      .node('y', fn);
    return begun
      .node('z', fn, { to: ['x', 'end'] })
      .edge('start', ['x', 'y'])
      .edge(['x', 'y'], 'z')
      .route('x', ['y', 'end'], () => 'end');
  };
  const inner = (version: string): ReturnType<typeof base.compile> =>
    again('inner', { state: { [version]: z.string() } }).compile();

  test('is the same for the same structure', () => {
    expect(again('g', {}).compile().fingerprint).toBe(fingerprint);
  });

  test.each([
    ['another name', again('h', {})],
    ['another channel', again('g', { state: { a: z.string(), c: z.string() } })],
    ['another question', again('g', { asks: { no: yes } })],
    ['another message', again('g', { receives: { pong: z.number() } })],
    ['another node', base.node('w', fn).edge('x', 'w').edge('w', 'end')],
    ['another edge', base.edge('y', 'end')],
    ['another entry', base.edge('start', 'z')],
    ['another route', base.route('y', ['x', 'end'], () => 'end')],
    [
      'another target of a route',
      nodes
        .edge('start', ['x', 'y'])
        .edge(['x', 'y'], 'z')
        .route('x', ['y'], () => 'y'),
    ],
    ['another join', base.edge(['x', 'z'], 'y')],
    [
      'edges in place of a join',
      nodes
        .edge('start', ['x', 'y'])
        .edge('x', 'z')
        .edge('y', 'z')
        .route('x', ['y', 'end'], () => 'end'),
    ],
  ])('changes with %s', (_what, builder) => {
    expect(builder.compile().fingerprint).not.toBe(fingerprint);
  });

  test('changes with the kind of a node, the targets of goto, and an inner graph', () => {
    const empty = graph('g', { state: {} });
    const map = { in: () => ({ a: '', b: '' }), out: () => ({}) };
    const made = [
      empty.node('a', fn),
      empty.node('a', fn, { to: ['end'] }),
      empty.each('a', () => [1], fn),
      empty.graph('a', base.compile(), map),
      empty.graph('a', again('h', {}).compile(), map),
      empty.graph('a', inner('c'), map),
      empty.graph('a', inner('d'), map),
    ].map((builder) => builder.edge('start', 'a').edge('a', 'end').compile().fingerprint);
    expect(new Set(made).size).toBe(made.length);
  });

  test('distinguishes a workflow from a graph of the same name', () => {
    const main = graph('w', { state: {} }).node('main', fn).edge('start', 'main').edge('main', 'end').compile();
    expect(workflow('w', { input: z.string() }, async () => 1).fingerprint).not.toBe(main.fingerprint);
  });
});
