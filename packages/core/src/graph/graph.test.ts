import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { channel } from '../channel/channel.ts';
import { list } from '../channel/list.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { compiledOf } from './compile/compiled.ts';
import { goto } from './goto.ts';
import { graph } from './graph.ts';
import type { AnyGraph, ShapeOf } from './shape.ts';
import { workflow } from './workflow.ts';

describe('graph()', () => {
  test('returns a new builder from every call, and does not change the old one', () => {
    const empty = graph('g', { state: {} });
    const one = empty.node('a', () => {}).edge('start', 'a');
    const ended = one.edge('a', 'end');
    const routed = one.route('a', ['end'], () => 'end');
    const more = ended
      .node('b', () => {})
      .edge('a', 'b')
      .edge('b', 'end');
    expect(() => empty.compile()).toThrow('It has no node');
    expect(() => one.compile()).toThrow('It leads nowhere');
    expect([...compiledOf(ended.compile()).nodes.keys()]).toEqual(['a']);
    expect(compiledOf(ended.compile()).nodes.get('a')?.exits.routes).toEqual([]);
    expect(compiledOf(routed.compile()).nodes.get('a')?.exits).toMatchObject({ edges: [], routes: [{}] });
    expect([...compiledOf(more.compile()).nodes.keys()]).toEqual(['a', 'b']);
    expect(Object.isFrozen(one)).toBe(true);
  });

  test('does not keep the arrays and objects it was given', () => {
    const state: Record<string, z.ZodString> = { a: z.string() };
    const to = ['end'];
    const targets = ['n'];
    const policy = { to, timeout: 5 };
    const builder = graph('g', { state })
      .node('n', () => {}, policy)
      .edge('start', targets as ['n']);
    state['b'] = z.string();
    to.push('zzz');
    targets.push('zzz');
    policy.timeout = -1;
    const { channels, nodes } = compiledOf(builder.compile());
    expect([...channels.keys()]).toEqual(['a']);
    expect(nodes.get('n')).toMatchObject({ to: new Set(['end']), policy: { timeoutMs: 5 } });
  });

  test('works without `this`', () => {
    const built = graph('g', { state: {} })
      .node('a', () => {})
      .edge('start', 'a')
      .edge('a', 'end');
    expect(Reflect.apply(built.compile.bind(undefined), undefined, [])).toMatchObject({ name: 'g' });
  });

  test('compiles again to the same', () => {
    const builder = graph('g', { state: {} })
      .node('a', () => {})
      .edge('start', 'a')
      .edge('a', 'end');
    expect(builder.compile().fingerprint).toBe(builder.compile().fingerprint);
  });
});

const over = (): readonly number[] => [1];
const run = (): void => {};

describe('each()', () => {
  test('gives the items, the function and the concurrency', () => {
    const compile = (concurrency?: number): unknown =>
      compiledOf(
        graph('g', { state: {} }).each('a', over, run, { concurrency }).edge('start', 'a').edge('a', 'end').compile(),
      ).nodes.get('a')?.work;
    expect(compile(3)).toEqual({ type: 'each', over, run, concurrency: 3 });
    expect(compile()).toEqual({ type: 'each', over, run, concurrency: 16 });
    expect(compile(Number.POSITIVE_INFINITY)).toMatchObject({ concurrency: Number.POSITIVE_INFINITY });
  });

  test('hands its catch the item before the state', () => {
    const seen: unknown[] = [];
    const { nodes } = compiledOf(
      graph('g', { state: { log: list<string>() } })
        .each(
          'a',
          () => [1],
          () => {},
          {
            catch: (error, item, state) => {
              seen.push(error.code, item, state.log);
              return { log: 'failed' };
            },
          },
        )
        .edge('start', 'a')
        .edge('a', 'end')
        .compile(),
    );
    const error = holdfastError('HOLDFAST_NOT_FOUND', 'x');
    expect(nodes.get('a')?.catch?.(error, { log: ['l'] }, 7)).toEqual({ log: 'failed' });
    expect(seen).toEqual(['HOLDFAST_NOT_FOUND', 7, ['l']]);
  });
});

const input = (): { topic: string } => ({ topic: 't' });
const out = (): object => ({});

describe('.graph()', () => {
  const yes = { show: z.string(), answer: z.boolean() };
  const inner = graph('inner', { state: { topic: z.string(), text: channel<string>() }, asks: { yes } })
    .node('n', () => ({ text: 'x' }))
    .edge('start', 'n')
    .edge('n', 'end')
    .compile();

  test('gives the inner graph and what goes in and out', () => {
    const outer = graph('outer', { state: {} })
      .graph('a', inner, { in: input, out, timeout: '1m', to: ['end'] })
      .edge('start', 'a')
      .compile();
    expect(compiledOf(outer).nodes.get('a')).toMatchObject({
      work: { type: 'graph', inner: compiledOf(inner), in: input, out },
      policy: { timeoutMs: 60_000 },
      to: new Set(['end']),
    });
  });

  test('accepts a workflow', () => {
    const double = workflow('double', { input: z.number() }, async (input) => input * 2);
    const outer = graph('outer', { state: { n: z.number() } })
      .graph('a', double, { in: ({ n }) => n, out: (n) => ({ n }) })
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    expect(compiledOf(outer).nodes.get('a')?.work).toMatchObject({ inner: compiledOf(double) });
  });

  test('hints at a missing .compile()', () => {
    const builder = graph('inner', { state: {} });
    const outer = graph('outer', { state: {} })
      .graph('a', builder as unknown as typeof inner, { in: () => ({ topic: '' }), out: () => ({}) })
      .edge('start', 'a')
      .edge('a', 'end');
    expect(() => outer.compile()).toThrow(
      'Node "a": Its inner graph is not a graph. It is a builder: call .compile() and pass the result.',
    );
  });
});

describe('the types of a graph', () => {
  test('are in its shape', () => {
    const inner = graph('inner', {
      state: {},
      asks: { yes: { show: z.string(), answer: z.boolean() } },
    })
      .node('n', () => {})
      .edge('start', 'n')
      .edge('n', 'end')
      .compile();
    const outer = graph('outer', {
      state: { topic: z.string(), log: list<string>() },
      receives: { ping: z.number() },
      emits: z.string(),
    })
      .node('a', ({ state }) => goto('end', { log: state.topic }), { to: ['end'] })
      .graph('b', inner, { in: () => ({}), out: () => ({}) })
      .edge('start', 'b')
      .edge('b', 'a')
      .compile();
    type Outer = ShapeOf<typeof outer>;
    expectTypeOf<Outer['nodes']>().toEqualTypeOf<'a' | 'b'>();
    expectTypeOf<Outer['state']>().toEqualTypeOf<{ readonly topic: string; readonly log: readonly string[] }>();
    expectTypeOf<keyof Outer['asks']>().toEqualTypeOf<'b/yes'>();
    expectTypeOf<keyof Outer['receives']>().toEqualTypeOf<'ping'>();
    expectTypeOf<Outer['emits']>().toEqualTypeOf<string>();
    expectTypeOf<{ topic: string }>().toExtend<Outer['input']>();
    expectTypeOf(outer).toExtend<AnyGraph>();
    const graphs: readonly AnyGraph[] = [inner, outer];
    expect(graphs.map(({ name }) => name)).toEqual(['inner', 'outer']);
  });
});
