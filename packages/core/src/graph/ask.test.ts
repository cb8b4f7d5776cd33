import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readAsk } from './ask.ts';

describe('readAsk()', () => {
  test('takes the schema of an answer for a question that shows anything', async () => {
    const answer = z.boolean();
    const question = readAsk(answer);
    expect(question?.answer).toBe(answer);
    expect(await question?.show['~standard'].validate({ any: 'thing' })).toEqual({ value: { any: 'thing' } });
  });

  test.each([undefined, null, 'x', [], {}, { show: z.string() }, { show: z.string(), answer: 'yes' }])(
    'refuses %o',
    (schemas) => {
      expect(readAsk(schemas)).toBeUndefined();
    },
  );
});
