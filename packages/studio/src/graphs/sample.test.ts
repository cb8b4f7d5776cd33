import { expect, test } from 'vitest';
import { sampleOf } from './sample.ts';

test('a sample has the simple fields without a default, each empty after its type', () => {
  const properties = {
    order: { type: 'string' },
    cents: { type: 'integer', minimum: 1 },
    ok: { type: 'boolean' },
    currency: { enum: ['EUR', 'USD'] },
    kind: { type: 'string', default: 'x' },
    log: { type: 'array' },
  };
  expect(sampleOf({ type: 'object', properties })).toEqual({ order: '', cents: 1, ok: false, currency: 'EUR' });
  expect(sampleOf(null)).toEqual({});
});
