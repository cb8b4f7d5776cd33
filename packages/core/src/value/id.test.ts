import { describe, expect, test } from 'vitest';
import { checkName, checkRecordId, checkRunId, isRecordId, isRunId } from './id.ts';

const badIds: readonly unknown[] = [
  '',
  '.',
  '..',
  '../../etc/passwd',
  'a/b',
  'a\\b',
  'a b',
  'a@b',
  'a\n',
  'a\0',
  '-a',
  'é',
  'ａ',
  'x'.repeat(129),
  'x'.repeat(300),
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'prototype',
  5,
  null,
  undefined,
  {},
  ['a'],
  Symbol('a'),
  { toString: () => 'a' },
];
const invalidId = expect.objectContaining({ code: 'HOLDFAST_INVALID_ID' });

function message(id: unknown): string {
  try {
    return checkRunId(id);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('checkRunId()', () => {
  test.each(['a', '0', '5', 'A-b_c.d:e', 'x'.repeat(128), '01hzy0000000000000000000zz'])('takes %s', (id) => {
    expect(checkRunId(id)).toBe(id);
    expect(isRunId(id)).toBe(true);
  });

  test.each(badIds.map((id) => [id]))('refuses %o', (id) => {
    expect(() => checkRunId(id)).toThrow(invalidId);
    expect(() => checkRecordId(id)).toThrow(invalidId);
    expect(isRunId(id)).toBe(false);
    expect(isRecordId(id)).toBe(false);
  });

  test('shows at most 60 characters of what it refuses, with control characters escaped', () => {
    expect(message('y'.repeat(10_000))).not.toContain('y'.repeat(60));
    expect(message('a\u0000\u001b[31m\u202e')).toContain('"a\\u0000\\u001b[31m\\u202e" is not a valid run id');
    expect(message(null)).toContain('null is not a valid');
    expect(message({})).toContain('a value of type object');
  });
});

describe('checkRecordId()', () => {
  test('takes what a run can be called, but for digits alone', () => {
    expect(checkRecordId('msg-1')).toBe('msg-1');
    expect(checkRecordId('1a')).toBe('1a');
    expect(() => checkRecordId('5')).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_ID', details: { what: 'record' } }),
    );
  });
});

describe('checkName()', () => {
  test.each(['a', '_a', '$a', 'camelCase', 'with-hyphen', 'x1', 'x'.repeat(128)])('takes %s', (name) => {
    expect(checkName('channel', name)).toBe(name);
  });

  test.each([
    ['1a'],
    ['a.b'],
    ['a/b'],
    ['-a'],
    [''],
    ['x'.repeat(129)],
    ['__proto__'],
    ['constructor'],
    ['__defineGetter__'],
    [1],
  ])('refuses %o', (name) => {
    expect(() => checkName('node', name)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_ID', details: { what: 'node' } }),
    );
  });
});
