import { describe, expect, test } from 'vitest';
import { HoldfastError, holdfastError } from './holdfast-error.ts';

describe('HoldfastError', () => {
  test('carries the code, the message, the details and the cause', () => {
    const cause = new Error('disk on fire');
    const error = holdfastError('HOLDFAST_CORRUPT', 'Record r@5 is corrupt.', { details: { runId: 'r' }, cause });
    expect(error).toBeInstanceOf(HoldfastError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'HoldfastError', code: 'HOLDFAST_CORRUPT', details: { runId: 'r' }, cause });
    expect(String(error)).toBe('HoldfastError: Record r@5 is corrupt.');
  });

  test('has empty details and no cause unless given', () => {
    const error = holdfastError('HOLDFAST_NOT_FOUND', 'x');
    expect(error.details).toEqual({});
    expect('cause' in error).toBe(false);
  });

  test('keeps its details from being changed', () => {
    const details = { runId: 'r' };
    const error = holdfastError('HOLDFAST_NOT_FOUND', 'x', { details });
    details.runId = 'other';
    expect(error.details).toEqual({ runId: 'r' });
    expect(Object.isFrozen(error.details)).toBe(true);
  });
});

describe('HoldfastError.is()', () => {
  const error: unknown = holdfastError('HOLDFAST_NOT_FOUND', 'x');

  test('checks the code', () => {
    expect(HoldfastError.is(error)).toBe(true);
    expect(HoldfastError.is(error, 'HOLDFAST_NOT_FOUND')).toBe(true);
    expect(HoldfastError.is(error, 'HOLDFAST_CORRUPT')).toBe(false);
  });

  test('knows the error of another copy of the package', () => {
    const other = Object.assign(new Error('x'), { code: 'HOLDFAST_NOT_FOUND' });
    expect(HoldfastError.is(other, 'HOLDFAST_NOT_FOUND')).toBe(true);
  });

  test.each([undefined, null, 'HOLDFAST_NOT_FOUND', {}, { code: 'HOLDFAST_NOT_FOUND' }, new Error('x')])(
    'refuses %o',
    (value) => {
      expect(HoldfastError.is(value)).toBe(false);
    },
  );

  test('refuses the errors of others', () => {
    expect(HoldfastError.is(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe(false);
    expect(HoldfastError.is(Object.assign(new Error('x'), { code: 5 }))).toBe(false);
  });
});
