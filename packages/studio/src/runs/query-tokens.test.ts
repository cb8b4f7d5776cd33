import { describe, expect, test } from 'vitest';
import { queryOf, statusesOf, tokensOf, withStatus } from './query-tokens.ts';

const query = 'status:waiting,failed age<7d tag:tier=gold "two words" node:"a b" ord';

describe('a query', () => {
  test('is read as conditions, and written as it was', () => {
    expect(tokensOf(query).map(({ field, op, value }) => [field, op, value])).toEqual([
      ['status', ':', 'waiting,failed'],
      ['age', '<', '7d'],
      ['tag', ':', 'tier=gold'],
      ['', '', '"two words"'],
      ['node', ':', '"a b"'],
      ['', '', 'ord'],
    ]);
    expect(queryOf(tokensOf(query))).toBe(query);
  });

  test('asks for statuses, which a chip replaces', () => {
    expect(statusesOf(query)).toEqual(['waiting', 'failed']);
    expect(withStatus('age<7d status:failed', 'running')).toBe('status:running age<7d');
    expect(withStatus('status:failed', undefined)).toBe('');
  });
});
