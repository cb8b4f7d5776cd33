import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ask, isAsk } from './ask.ts';

describe('ask()', () => {
  test('keeps the two schemas, frozen', () => {
    const show = z.string();
    const answer = z.boolean();
    const question = ask({ show, answer });
    expect(question).toEqual({ show, answer });
    expect(Object.isFrozen(question)).toBe(true);
  });

  test.each([undefined, null, 'x', [], {}, { show: z.string() }, { show: z.string(), answer: 'yes' }])(
    'refuses %o',
    (schemas) => {
      const untyped = ask as (schemas: unknown) => unknown;
      expect(() => untyped(schemas)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
      expect(() => untyped(schemas)).toThrow('ask(): a question must be { show, answer }, both Standard Schemas');
      expect(isAsk(schemas)).toBe(false);
    },
  );
});
