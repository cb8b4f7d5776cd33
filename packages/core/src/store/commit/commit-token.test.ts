import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/seeded-random.ts';
import { commitTokens } from './commit-token.ts';

test('commitTokens() gives short tokens, each another, in each store', () => {
  const random = seededRandom(1);
  const makers = Array.from({ length: 100 }, () => commitTokens(random));
  const tokens = makers.flatMap((newToken) => Array.from({ length: 100 }, newToken));
  expect(new Set(tokens).size).toBe(10_000);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{7,8}$/);
});

test('commitTokens() takes every bit from its source', () => {
  const tokens = [0, 1 - 2 ** -53, 0.5].map((number) => commitTokens(() => number)());
  expect(tokens).toEqual(['0000001', '------1', 'W000001']);
});
