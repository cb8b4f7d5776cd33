import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { problemsOf } from '../testing/untyped-graph.ts';
import { compiledOf } from './compile/compiled.ts';
import type { ShapeOf } from './shape.ts';
import { workflow } from './workflow.ts';

const loose = workflow as unknown as (...given: readonly unknown[]) => unknown;

const run = async ({ email }: { email: string }): Promise<number> => email.length;

describe('workflow()', () => {
  const input = z.object({ email: z.string() });

  test('is a graph of one node, without channels', () => {
    const onboard = workflow('onboard', { input, version: 2, timeout: '1h', retry: { attempts: 2 } }, run);
    const compiled = compiledOf(onboard);
    expect(onboard).toMatchObject({ name: 'onboard', version: 2 });
    expect(compiled).toMatchObject({ name: 'onboard', version: 2, input, hasCycle: false, joins: [] });
    expect(compiled.channels.size).toBe(0);
    expect(compiled.entry).toEqual({ edges: ['main'], routes: [], joins: [] });
    expect([...compiled.nodes.values()]).toEqual([
      {
        name: 'main',
        work: { type: 'workflow', run },
        policy: { retry: expect.objectContaining({ attempts: 2, backoffMs: 100 }), timeoutMs: 3_600_000 },
        isOnce: false,
        catch: undefined,
        to: new Set(),
        exits: { edges: ['end'], routes: [], joins: [] },
      },
    ]);
  });

  test('has its types in its shape', () => {
    const onboard = workflow('onboard', { input, receives: { ping: z.number() } }, run);
    type Onboard = ShapeOf<typeof onboard>;
    expectTypeOf<Onboard['input']>().toEqualTypeOf<{ readonly email: string }>();
    expectTypeOf<Onboard['output']>().toEqualTypeOf<number>();
    expectTypeOf<Onboard['nodes']>().toEqualTypeOf<'main'>();
    expectTypeOf<keyof Onboard['receives']>().toEqualTypeOf<'ping'>();
    expect([...compiledOf(onboard).receives.keys()]).toEqual(['ping']);
  });

  test.each([
    [[], ['a value of type undefined is not a valid', 'The definition is not an object', 'It has no function']],
    [[Symbol('w'), { input }, run], ['a value of type symbol is not a valid workflow name']],
    [['a b', { input }, run], ['"a b" is not a valid workflow name']],
    [
      ['w', run],
      ['The definition is not an object', 'It has no function'],
    ],
    [['w', {}, run], ['"input" must be a Standard Schema']],
    [['w', { input, state: {} }, run], ['The definition has no option "state"']],
    [['w', { input, timeout: 'x' }, run], ['"timeout": Invalid duration: "x"']],
    [['w', { input, migrate: { 1: run } }, run], ['"migrate" has the invalid key "1"']],
  ])('refuses %o', (given, problems) => {
    expect(problemsOf({ compile: () => loose(...given) })).toEqual(
      problems.map((problem) => expect.stringContaining(problem) as unknown),
    );
  });

  test('names the workflow in its problems', () => {
    expect(() => loose('w', {}, run)).toThrow('Workflow "w" has a problem. "input" must be');
    expect(() => loose(1, { input }, run)).toThrow('A workflow has a problem. ');
  });
});
