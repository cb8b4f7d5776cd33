import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { problemsOf, untypedGraph } from '../testing/untyped-graph.ts';

const fn = (): void => {};

describe('graph() in JavaScript', () => {
  const schema = z.string();

  test.each([
    ['no definition', undefined, ['The definition is not an object']],
    ['an array for a definition', [], ['The definition is not an object']],
    ['no state', {}, ['"state" must be an object of channels, such as { topic: z.string(), log: list() }']],
    ['an unknown option', { state: {}, ask: {} }, ['The definition has no option "ask"']],
    ['an input', { state: {}, input: schema }, ['The definition has no option "input"']],
    ['a retry', { state: {}, retry: {} }, ['The definition has no option "retry"']],
    [
      'bad channels',
      { state: { a: 1, 'b c': schema, d: schema } },
      ['Channel "a" is neither a channel nor a Standard Schema', '"b c" is not a valid channel name'],
    ],
    ['bad questions', { state: {}, asks: [] }, ['"asks" must be an object with one key per name']],
    [
      'a bad question',
      { state: {}, asks: { a: { show: schema } } },
      [
        'Question "a" is invalid: a question must be the schema of its answer, such as z.boolean(), or { show, answer }, both Standard Schemas',
      ],
    ],
    [
      'the bad name of a question',
      { state: {}, asks: { 'a/b': { show: schema, answer: schema } } },
      ['"a/b" is not a valid question name'],
    ],
    ['bad messages', { state: {}, receives: 'all' }, ['"receives" must be an object with one key per name']],
    [
      'options that are planned',
      { state: {}, limits: [], priority: 1, receives: { a: { request: 1, reply: 2 } } },
      [
        'The definition has no option "limits" yet',
        'The definition has no option "priority" yet',
        'Message "a" is a request with a reply, which is planned but not available yet',
      ],
    ],
    ['a bad message', { state: {}, receives: { a: undefined } }, ['Message "a" has no schema']],
    ['the bad name of a message', { state: {}, receives: { '': schema } }, ['"" is not a valid message name']],
    ['bad emits', { state: {}, emits: 'text' }, ['"emits" must be a Standard Schema, such as z.string()']],
    ['version 0', { state: {}, version: 0 }, ['"version" must be an integer of at least 1']],
    ['version "2"', { state: {}, version: '2', migrate: { 1: 1 } }, ['"version" must be an integer of at least 1']],
  ])('with %s', (_what, definition, problems) => {
    const builder = untypedGraph('g', definition).node('a', fn).edge('start', 'a').edge('a', 'end');
    expect(problemsOf(builder)).toEqual(problems);
  });
});
