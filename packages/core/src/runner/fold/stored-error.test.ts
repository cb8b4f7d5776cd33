import { describe, expect, test } from 'vitest';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { reviveError, storeError } from './stored-error.ts';

describe('storeError()', () => {
  test('leaves out a detail that is too large or cannot be stored, and keeps the others', () => {
    const large = holdfastError('HOLDFAST_UNKNOWN_QUESTION', 'x', {
      details: { name: 'q', known: ['k'.repeat(70_000)], call: () => 1 },
    });
    expect(storeError(large).details).toEqual({ name: 'q' });
  });

  test('leaves out all details if there are too many', () => {
    const details = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`d${at}`, 'x'.repeat(1_000)]));
    expect(storeError(holdfastError('HOLDFAST_NODE_FAILED', 'x', { details })).details).toEqual({});
  });

  test('shortens the fields that users gave', () => {
    const stored = storeError(Object.assign(new Error('x'), { body: 'b'.repeat(20_000), code: 7 }));
    expect(stored.fields?.['code']).toBe(7);
    expect(stored.fields?.['body']).toHaveLength(16_384 + '… (3616 more characters)'.length);
  });
});

describe('reviveError()', () => {
  test('takes only plain fields: an import may hold anything', () => {
    const fields = JSON.parse('{ "status": 500, "message": "other", "toString": {}, "__proto__": null }') as Record<
      string,
      number
    >;
    const error = reviveError({ name: 'E', message: 'm', fields });
    expect(error).toBeInstanceOf(Error);
    expect(Object.entries(error)).toEqual([
      ['name', 'E'],
      ['status', 500],
    ]);
    expect(String(error)).toBe('E: m');
  });
});
