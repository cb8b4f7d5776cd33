import { openEngine } from 'holdfast';
import { expect, test } from 'vitest';
import { errorAnswer } from './answers.ts';

test('a store whose server cannot be reached is a 503 that says nothing of the server', async () => {
  const error: unknown = await openEngine('postgres://ada:hunter2@127.0.0.1:1/runs').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'HOLDFAST_STORE_UNAVAILABLE' });
  const told: unknown[] = [];
  const answer = errorAnswer(error, (...given) => told.push(given));
  expect({ status: answer.status, told }).toEqual({ status: 503, told: [] });
  expect(await answer.text()).not.toMatch(/127\.0\.0\.1|ada|hunter2/u);
});
