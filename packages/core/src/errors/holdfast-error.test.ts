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

function json(cause: unknown): unknown {
  const text = JSON.stringify(holdfastError('HOLDFAST_NOT_FOUND', 'x', { cause }));
  return (JSON.parse(text) as { readonly cause?: unknown }).cause;
}

describe('JSON.stringify() of a HoldfastError', () => {
  test('keeps the message, the code, the details and the chain of causes', () => {
    const inner = holdfastError('HOLDFAST_TIMEOUT', 'late', { details: { ms: 5 } });
    const system = Object.assign(new Error('no space', { cause: inner }), { code: 'ENOSPC' });
    const details = { runId: 'r', node: 'n', step: 's', attempts: 1 };
    const error = holdfastError('HOLDFAST_STEP_FAILED', 'x', { details, cause: system });
    expect(JSON.parse(JSON.stringify({ error }))).toEqual({
      error: {
        name: 'HoldfastError',
        code: 'HOLDFAST_STEP_FAILED',
        message: 'x',
        details,
        cause: {
          name: 'Error',
          code: 'ENOSPC',
          message: 'no space',
          cause: { name: 'HoldfastError', code: 'HOLDFAST_TIMEOUT', message: 'late', details: { ms: 5 } },
        },
      },
    });
  });

  test('takes any cause', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    expect(json('why')).toBe('why');
    expect(json(7n)).toBe('7');
    expect(json(cyclic)).toBe('[object Object]');
    const loop = new Error('loop');
    loop.cause = loop;
    expect(JSON.stringify(json(loop)).match(/loop/gu)).toHaveLength(8);
    expect(JSON.parse(JSON.stringify(holdfastError('HOLDFAST_NOT_FOUND', 'x')))).toEqual({
      name: 'HoldfastError',
      code: 'HOLDFAST_NOT_FOUND',
      message: 'x',
      details: {},
    });
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
