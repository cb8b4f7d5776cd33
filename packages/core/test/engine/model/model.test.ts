// Runs, turns, forks, edits, pruning, deleting, exporting and importing in any order give what a model says that copies every state.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeEverywhere } from '../every-place.ts';
import { type Operation, operations, Sequence } from './sequence.ts';

/** `npm run test:model` does many more. */
const sequences = Number(process.env['HOLDFAST_SEQUENCES'] ?? 2);

const operation: fc.Arbitrary<Operation> = fc.tuple(fc.constantFrom(...operations), fc.nat(999), fc.nat(999));

describeEverywhere('any sequence of operations', (place) => {
  test('gives the same answers as the model', { timeout: 600_000 }, async () => {
    const done = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 12, maxLength: 20, size: 'max' }), async (todo) => {
        for (const [what] of todo) done.add(what);
        await Sequence.play(place(), todo);
      }),
      { numRuns: sequences },
    );
    // A generator that leaves out half of it proves little.
    expect(done.size).toBeGreaterThan(new Set(operations).size / 2);
  });
});
