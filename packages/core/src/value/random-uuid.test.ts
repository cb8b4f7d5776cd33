import { describe, expect, test } from 'vitest';
import { nodeRandom } from '../env/node-random.ts';
import { randomUuid } from './random-uuid.ts';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('randomUuid()', () => {
  test.each([0, 0.5, 1 - 2 ** -32])('is a UUID of version 4 when random() is %d', (value) => {
    expect(randomUuid(() => value)).toMatch(pattern);
  });

  test('is another one each time', () => {
    const random = nodeRandom();
    const ids = Array.from({ length: 1_000 }, () => randomUuid(random));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(pattern);
  });
});
