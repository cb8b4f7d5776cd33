import type { Json } from '@holdfast/server/client';
import { describe, expect, test } from 'vitest';
import { checkDraft } from './check-draft.ts';
import { draftOf, fieldsOf } from './fields.ts';
import { readSchema } from './schema.ts';

const approval: Json = {
  type: 'object',
  properties: {
    ok: { type: 'boolean', description: 'refund it?' },
    cents: { type: 'integer', minimum: 1, maximum: 8990 },
    note: { type: 'string' },
    to: { enum: ['billing', 'shipping'] },
    address: {
      type: 'object',
      properties: { street: { type: 'string', minLength: 1 }, zip: { type: 'string', pattern: '^\\d{5}$' } },
      required: ['street'],
    },
    labels: { type: 'array', items: { type: 'string' } },
  },
  required: ['ok', 'cents'],
};
const fields = fieldsOf(readSchema(approval));

function widget(schema: Json): string | undefined {
  return fieldsOf(readSchema(schema))[0]?.widget;
}

describe('fieldsOf()', () => {
  test('has a field for each property, with what it takes', () => {
    expect(fields.map(({ path, label, hint, widget }) => [path, label, hint, widget])).toEqual([
      ['/ok', 'Refund it?', 'ok', 'choice'],
      ['/cents', 'Cents', '1 to 8990', 'number'],
      ['/note', 'Note', 'optional', 'area'],
      ['/to', 'To', 'optional', 'choice'],
      ['/address', 'Address', 'optional', 'group'],
      ['/labels', 'Labels', 'optional', 'list'],
    ]);
  });

  test('a schema that is no object is one field', () => {
    const [only] = fieldsOf(readSchema({ type: 'boolean' }));
    expect(only).toMatchObject({ path: '', label: 'Answer', widget: 'choice' });
  });

  test('what a form cannot show is a field for JSON', () => {
    expect(widget({ anyOf: [{ type: 'string' }, { type: 'number' }] })).toBe('json');
    expect(widget({ type: 'array', items: { type: 'object' } })).toBe('json');
    expect(widget({ $ref: '#/$defs/x' })).toBe('json');
    expect(widget(null)).toBe('json');
  });

  test('reads alternatives that list constants, or null', () => {
    const [choice] = fieldsOf(readSchema({ anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] }));
    expect(choice?.options.map(({ value }) => value)).toEqual(['a', 'b', null]);
    expect(fieldsOf(readSchema({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }))[0]).toMatchObject({
      widget: 'number',
      hint: 'at least 1',
    });
  });
});

describe('checkDraft()', () => {
  test('makes the value; what is untouched and optional is no part of it', () => {
    const { value, problems } = checkDraft(fields, { '/ok': false, '/cents': ' 5000 ' });
    expect(value).toEqual({ ok: false, cents: 5000 });
    expect(problems.size).toBe(0);
  });

  test('says what is wrong where it is wrong', () => {
    const { problems } = checkDraft(fields, { '/cents': '9890', '/address/zip': 'x' });
    expect(Object.fromEntries(problems)).toEqual({
      '/ok': 'Choose one',
      '/cents': 'Must be at most 8990',
      '/address/street': 'Must be filled in',
      '/address/zip': 'Must match ^\\d{5}$',
    });
    expect(checkDraft(fields, { '/ok': true, '/cents': '1.5' }).problems.get('/cents')).toBe('Must be a whole number');
    expect(checkDraft(fields, { '/ok': true, '/cents': 'many' }).problems.get('/cents')).toBe('Must be a number');
  });

  test('a field for JSON takes any JSON, and nothing else', () => {
    const json = fieldsOf(readSchema(null));
    expect(checkDraft(json, { '': '{"a":[1]}' }).value).toEqual({ a: [1] });
    expect(checkDraft(json, { '': '{' }).problems.get('')).toBe('Must be JSON');
  });

  test('a value makes the draft that makes it', () => {
    const value: Json = { ok: true, cents: 7, note: 'x', address: { street: 'a' }, labels: ['b'] };
    expect(checkDraft(fields, draftOf(fields, value)).value).toEqual(value);
  });
});
