import { describe, expect, test } from 'vitest';
import { faultOf } from '../store-fault.ts';
import { connectionFault, openFailure, problemOf, statementFault } from './errors.ts';

function serverError(code: string, severity = 'ERROR'): Error {
  return Object.assign(new Error(`error ${code}`), { code, severity });
}

describe('statementFault()', () => {
  test.each([
    ['40P01', 'ERROR', 'none', true],
    ['40001', 'ERROR', 'none', true],
    ['57014', 'ERROR', 'none', true],
    ['25006', 'ERROR', 'none', true],
    ['53100', 'ERROR', 'none', false],
    ['42P01', 'ERROR', 'none', false],
    ['23505', 'ERROR', 'none', false],
    ['57P01', 'FATAL', 'unknown', true],
    ['XX000', 'PANIC', 'unknown', true],
    ['XX000', 'ERROR', 'none', false],
  ])('%s %s: the effect is %s, transient: %s', (code, severity, effect, transient) => {
    expect(faultOf(statementFault(serverError(code, severity)))).toMatchObject({ effect, transient });
  });

  test('an error without a word of the server is in doubt', () => {
    expect(faultOf(statementFault(new Error('read ECONNRESET')))).toMatchObject({ effect: 'unknown', transient: true });
    expect(faultOf(statementFault('odd'))).toMatchObject({ effect: 'unknown', transient: true });
  });

  test('says what the problem is, if it is known', () => {
    expect(statementFault(serverError('53100')).details).toMatchObject({ problem: 'full' });
    expect(statementFault(serverError('23505')).details).not.toHaveProperty('problem');
    expect(problemOf('odd')).toBeUndefined();
  });

  test('leaves an error of ours as it is', () => {
    const ours = statementFault(new Error('x'));
    expect(statementFault(ours)).toBe(ours);
    expect(connectionFault(ours)).toBe(ours);
  });
});

describe('connectionFault()', () => {
  test.each([
    ['28P01', false],
    ['3D000', false],
    ['53300', true],
    ['57P03', true],
  ])('%s: nothing was sent, transient: %s', (code, transient) => {
    expect(faultOf(connectionFault(serverError(code, 'FATAL')))).toMatchObject({ effect: 'none', transient });
  });
});

describe('openFailure()', () => {
  test('says why, and what to do', () => {
    expect(openFailure(connectionFault(serverError('28P01', 'FATAL')))).toMatchObject({
      code: 'HOLDFAST_STORE_UNAVAILABLE',
      details: { problem: 'password' },
      message: expect.stringContaining('Check the user'),
    });
    expect(openFailure(serverError('XX000'))).toMatchObject({ details: { problem: 'unreachable' } });
  });
});
