import { describe, expect, test } from 'vitest';
import { holdfastError } from '../errors/holdfast-error.ts';
import { faultOf, reason, storeFault } from './store-fault.ts';

describe('storeFault()', () => {
  test('is an error with a code, the effect and the cause', () => {
    const cause = new Error('disk full');
    const error = storeFault({ effect: 'none', cause });
    expect(error).toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      cause,
      details: { effect: 'none', poisoned: false, transient: false },
    });
    expect(error.message).toContain('disk full');
  });

  test.each([
    { effect: 'none', poisoned: false, transient: false },
    { effect: 'none', poisoned: true, transient: false },
    { effect: 'unknown', poisoned: true, transient: false },
    { effect: 'unknown', poisoned: false, transient: true },
  ] as const)('is read back as it was: %o', (fault) => {
    expect(faultOf(storeFault({ ...fault, cause: 'why' }))).toEqual({ ...fault, cause: 'why' });
  });

  test('takes the effect of any other error for unknown', () => {
    const plain = new Error('connection lost');
    expect(faultOf(plain)).toEqual({ effect: 'unknown', cause: plain });
    expect(faultOf('text')).toEqual({ effect: 'unknown', cause: 'text' });
    const other = holdfastError('HOLDFAST_CORRUPT', 'Corrupt.');
    expect(faultOf(other)).toEqual({ effect: 'unknown', cause: other });
  });

  test('takes an effect that it does not know for unknown', () => {
    const half = { code: 'HOLDFAST_STORE_FAILED', details: { effect: 'half' } };
    const strange = Object.assign(new Error('Failed.', { cause: 1 }), half);
    expect(faultOf(strange)).toEqual({ effect: 'unknown', poisoned: false, transient: false, cause: 1 });
  });
});

describe('reason()', () => {
  test('gives the message of an error and the text of anything else', () => {
    expect(reason(new Error('why'))).toBe('why');
    expect(reason(7)).toBe('7');
  });
});
