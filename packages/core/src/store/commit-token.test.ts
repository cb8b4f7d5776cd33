import { expect, test } from 'vitest';
import { seededRandom } from '../testing/seeded-random.ts';
import { commitTokens } from './commit-token.ts';

test('commitTokens() gives short tokens, each another', () => {
  const newToken = commitTokens(seededRandom(1));
  const tokens = Array.from({ length: 10_000 }, newToken);
  expect(new Set(tokens).size).toBe(10_000);
  for (const token of tokens.slice(0, 100)) expect(token).toMatch(/^[\w-]{8}$/);
});

test('commitTokens() takes every bit from its source', () => {
  const tokens = [0, 1 - 2 ** -53, 0.5].map((number) => commitTokens(() => number)());
  expect(tokens).toEqual(['00000000', '--------', 'W0000000']);
});
