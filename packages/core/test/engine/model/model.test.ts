// Runs, turns, forks, edits, pruning, deleting, exporting and importing in any order give what a model says that copies every state.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeEverywhere } from '../every-place.ts';
import { type Operation, operations, Sequence } from './sequence.ts';

/** `npm run test:model` does many more. */
const sequences = Number(process.env['HOLDFAST_SEQUENCES'] ?? 2);

/** Enough that chance alone leaves out half of the operations less often than once in a billion times. */
const mostRounds = 4;

const operation: fc.Arbitrary<Operation> = fc.tuple(fc.constantFrom(...operations), fc.nat(999), fc.nat(999));

describeEverywhere('any sequence of operations', (place) => {
  test('gives the same answers as the model', { timeout: 600_000 }, async () => {
    const { seed } = fc.readConfigureGlobal();
    const done = new Set<string>();
    const property = fc.asyncProperty(
      fc.array(operation, { minLength: 12, maxLength: 20, size: 'max' }),
      async (todo) => {
        for (const [what] of todo) done.add(what);
        await Sequence.play(place(), todo);
      },
    );
    // A generator that leaves out half of it proves little. Few sequences may by chance: then there are as many more.
    const isEnough = (): boolean => done.size > new Set(operations).size / 2;
    for (let round = 0; round < mostRounds && !isEnough(); round += 1) {
      await fc.assert(property, { numRuns: sequences, ...(seed !== undefined && { seed: seed + round }) });
    }
    expect(isEnough()).toBe(true);
  });
});
