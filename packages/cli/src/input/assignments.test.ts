import { describe, expect, test } from 'vitest';
import { CliError } from '../failure/cli-error.ts';
import { parseAssignments, parseJson, parseNamedValue } from './assignments.ts';

describe('parseAssignments()', () => {
  test('reads JSON if it parses, and text otherwise', () => {
    const args = [
      'order=ord_81',
      'cents=12000',
      'ok=true',
      'none=null',
      'list=[1,"b"]',
      'quoted="12"',
      'empty=',
      'a=b=c',
    ];
    expect(parseAssignments(args)).toEqual({
      order: 'ord_81',
      cents: 12_000,
      ok: true,
      none: null,
      list: [1, 'b'],
      quoted: '12',
      empty: '',
      a: 'b=c',
    });
  });

  test('takes a choice of types into account', () => {
    const texts = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    const properties = {
      texts,
      more: texts,
      none: { oneOf: [{ type: 'string' }, { type: 'null' }] },
      whole: { type: ['integer', 'string'] },
      part: { type: ['integer', 'string'] },
      open: { anyOf: [{ type: 'string' }, {}] },
      number: { type: 'number' },
    };
    const args = ['texts=81', 'more=["a"]', 'none=null', 'whole=5', 'part=5.5', 'open=5', 'number=true'];
    expect(parseAssignments(args, { properties })).toEqual({
      texts: '81',
      more: ['a'],
      none: null,
      whole: 5,
      part: '5.5',
      open: 5,
      number: true,
    });
  });

  test('keeps text if the schema says so', () => {
    const schema = {
      properties: { note: { type: 'string' }, count: { type: 'integer' }, any: { type: ['string', 'null'] } },
    };
    expect(parseAssignments(['note=12', 'count=12', 'any=null'], schema)).toEqual({ note: '12', count: 12, any: null });
  });

  test('sets nested fields', () => {
    expect(parseAssignments(['a.b=1', 'a.c.d=x', 'e=2'])).toEqual({ a: { b: 1, c: { d: 'x' } }, e: 2 });
  });

  test('treats __proto__ like any other name', () => {
    const parsed = parseAssignments(['__proto__.polluted=1', 'constructor=2']);
    expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each(['order', '=1', ''])('refuses %j', (arg) => {
    expect(() => parseAssignments([arg])).toThrow(CliError);
  });
});

const named = (schema: unknown, ...args: readonly string[]): unknown => parseNamedValue(args, 'approval', schema);

describe('parseNamedValue()', () => {
  test('reads the value of a schema without fields, as the schema says', () => {
    expect(named({ type: 'boolean' }, 'approval=true')).toBe(true);
    expect(named({ type: 'string' }, 'approval=true')).toBe('true');
    expect(named({ type: 'number' }, 'approval=5')).toBe(5);
    expect(named({ type: 'array' }, 'approval=[1]')).toEqual([1]);
    expect(named({ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'approval=null')).toBe(null);
  });

  test('reads fields if the schema has some, or does not say', () => {
    expect(named({ type: 'object', properties: {} }, 'approval=true', 'note=x')).toEqual({ approval: true, note: 'x' });
    expect(named(undefined, 'approval=true')).toEqual({ approval: true });
  });

  test.each([[['ok=true']], [['approval=true', 'note=x']], [['approvals=true']], [['approval']]])(
    'refuses the fields %j of a value that has none',
    (args) => {
      expect(() => named({ type: 'boolean' }, ...args)).toThrow('Write approval=VALUE.');
    },
  );
});

describe('parseJson()', () => {
  test('names what is not valid JSON', () => {
    expect(() => parseJson('{', '--input')).toThrow(/^--input is not valid JSON: /u);
  });
});
