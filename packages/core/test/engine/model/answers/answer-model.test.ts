// Answers with and without the code, by id and by name, before and after a deploy that renames the question, and builds that
// lack graphs: in any order they give what a model says.
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeEverywhere } from '../../every-place.ts';
import { type AnswerOperation, AnswerSequence, answerOperations } from './answer-sequence.ts';

/** `npm run test:model` does many more. */
const sequences = Number(process.env['HOLDFAST_SEQUENCES'] ?? 4);

const operation: fc.Arbitrary<AnswerOperation> = fc.tuple(
  fc.constantFrom(...answerOperations),
  fc.nat(999),
  fc.nat(999),
);

let said: string[] = [];

beforeEach(() => {
  said = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((message) => void said.push(String(message)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describeEverywhere('any sequence of answers', (place) => {
  test('gives what the model says', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 16, size: 'max' }), (todo) =>
        AnswerSequence.play(place(), todo, () => said),
      ),
      { numRuns: sequences },
    );
    expect(said.length).toBeGreaterThan(0);
  });
});
