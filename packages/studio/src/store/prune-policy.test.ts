import { describe, expect, test } from 'vitest';
import { policyOf, reasonsOf } from './prune-policy.ts';

describe('policyOf()', () => {
  const form = { olderThan: '30d', keep: '5', status: 'completed, cancelled' } as const;

  test('reads the form', () => {
    expect(policyOf(form)).toEqual({ policy: { olderThan: '30d', keep: 5, status: ['completed', 'cancelled'] } });
    expect(policyOf({ olderThan: '', keep: '0', status: 'any status' })).toEqual({ policy: { keep: 0 } });
  });

  test('refuses what would prune everything by accident', () => {
    expect(policyOf({ ...form, olderThan: '', keep: ' ' })).toEqual({ problem: 'Say an age, or how many to keep.' });
    expect(policyOf({ ...form, olderThan: '30' })).toEqual({ problem: 'Write an age as 12h or 30d.' });
    expect(policyOf({ ...form, keep: '-1' })).toEqual({ problem: 'Keep a whole number, 0 or more.' });
  });
});

test('checkpoints that stay are counted by their reason', () => {
  const protectedBy = [
    { checkpoint: 'a@1', because: 'fork' },
    { checkpoint: 'a@2', because: 'latest' },
    { checkpoint: 'b@2', because: 'latest' },
  ] as const;
  expect(reasonsOf({ protectedBy }).map(({ name, count }) => [name, count])).toEqual([
    ['latest', 2],
    ['fork', 1],
  ]);
});
