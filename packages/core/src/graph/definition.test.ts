import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { problemsOf, untypedGraph } from '../testing/untyped-graph.ts';

const fn = (): void => {};

describe('graph() in JavaScript', () => {
  const schema = z.string();

  test.each([
    ['no definition', undefined, ['The definition is no object']],
    ['an array for a definition', [], ['The definition is no object']],
    ['no state', {}, ['"state" has to be an object of channels, such as { topic: z.string(), log: list() }']],
    ['an unknown option', { state: {}, ask: {} }, ['The definition has no option "ask"']],
    ['an input', { state: {}, input: schema }, ['The definition has no option "input"']],
    ['a retry', { state: {}, retry: {} }, ['The definition has no option "retry"']],
    [
      'bad channels',
      { state: { a: 1, 'b c': schema, d: schema } },
      ['Channel "a" is neither a channel nor a Standard Schema', '"b c" is not a valid channel name'],
    ],
    ['bad questions', { state: {}, asks: [] }, ['"asks" has to be an object, with a name for each']],
    [
      'a bad question',
      { state: {}, asks: { a: { show: schema } } },
      ['Question "a" is none: a question is { show, answer }, each of them a Standard Schema such as z.object({ … })'],
    ],
    [
      'the bad name of a question',
      { state: {}, asks: { 'a/b': { show: schema, answer: schema } } },
      ['"a/b" is not a valid question name'],
    ],
    ['bad messages', { state: {}, receives: 'all' }, ['"receives" has to be an object, with a name for each']],
    [
      'a bad message',
      { state: {}, receives: { a: undefined } },
      ['Message "a" has no schema: give a Standard Schema, such as z.object({ … })'],
    ],
    [
      'the bad name of a message',
      { state: {}, receives: { '': schema } },
      ['"" is not a valid message name'],
    ],
    ['bad emits', { state: {}, emits: 'text' }, ['"emits" has to be a Standard Schema, such as z.string()']],
    ['version 0', { state: {}, version: 0 }, ['"version" has to be a whole number from 1 on']],
    ['version "2"', { state: {}, version: '2', migrate: { 1: 1 } }, ['"version" has to be a whole number from 1 on']],
  ])('with %s', (_what, definition, problems) => {
    const builder = untypedGraph('g', definition).node('a', fn).edge('start', 'a').edge('a', 'end');
    expect(problemsOf(builder)).toEqual(problems);
  });
});
