import { describe, expect, test } from 'vitest';
import { exitCodeOfError, exitCodeOfRun } from './exit-code.ts';

describe('exit codes', () => {
  test.each([
    ['HOLDFAST_NOT_FOUND', 4],
    ['HOLDFAST_ALREADY_ANSWERED', 5],
    ['HOLDFAST_STORE_LOCKED', 5],
    ['HOLDFAST_INVALID_VALUE', 2],
    ['HOLDFAST_CORRUPT', 1],
  ])('%s is %i', (code, exitCode) => {
    expect(exitCodeOfError(code)).toBe(exitCode);
  });

  test('a run that somebody waited for', () => {
    const statuses = ['completed', 'failed', 'cancelled', 'waiting', 'suspended', 'running', 'pending'] as const;
    expect(statuses.map(exitCodeOfRun)).toEqual([0, 1, 1, 3, 3, 3, 3]);
  });
});
