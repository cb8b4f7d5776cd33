import { describe, expect, test } from 'vitest';
import { problemFrom, reasonOf } from './problem.ts';

const failed = {
  name: 'HoldfastError',
  message: 'Step charge failed: HTTP 402',
  code: 'HOLDFAST_STEP_FAILED',
  stack: 'HoldfastError: …\n    at StepCall.fail',
  cause: { name: 'Error', message: 'HTTP 402', stack: 'Error: HTTP 402\n    at charge (bank.ts:7:9)' },
};

describe('problemFrom()', () => {
  test('tells where a step failed: the stack of what its function threw', () => {
    expect(problemFrom(failed).stack).toContain('at charge (bank.ts:7:9)');
  });

  test('keeps the stack of an error whose causes have none', () => {
    expect(problemFrom({ ...failed, cause: { message: 'HTTP 402' } }).stack).toContain('at StepCall.fail');
  });
});

describe('reasonOf()', () => {
  test('is what the step threw, or the message', () => {
    expect(reasonOf(problemFrom(failed))).toBe('Error: HTTP 402');
    expect(reasonOf(problemFrom({ message: 'gone' }))).toBe('gone');
  });
});
