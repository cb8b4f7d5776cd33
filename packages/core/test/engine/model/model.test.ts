// Runs, turns, forks, edits, pruning, deleting, exporting and importing in any order give what a model says that copies every state.
import * as fc from 'fast-check';
import { defineStore } from 'holdfast/store';
import { memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { openDriver } from '../../../src/store/store.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import { describeEverywhere, memoryPlace, placeOn } from '../every-place.ts';
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

describe('the model', () => {
  const pruned: readonly Operation[] = [
    ['turn', 0, 0],
    ['turn', 0, 0],
    ['prune', 0, 1],
    ['repeat', 0, 0],
  ];
  const forked: readonly Operation[] = [
    ['turn', 0, 0],
    ['fork', 0, 0],
    ['turn', 1, 0],
    ['turn', 1, 0],
    ['prune', 1, 1],
    ['repeat', 1, 0],
  ];

  test.each([{ todo: pruned }, { todo: forked }])('repeats turns after a prune', async ({ todo }) => {
    await expect(Sequence.play(memoryPlace(), todo)).resolves.toBeUndefined();
  });

  // Mutants: each forgets what makes a repeat harmless.
  test.each([
    { name: 'a store whose ids go with their records', todo: pruned, forgets: { forgetIds: Number.MAX_SAFE_INTEGER } },
    { name: 'a fork that is pruned without the ids of its base', todo: forked, forgets: { ids: undefined } },
  ])('catches $name', async ({ todo, forgets }) => {
    const inside = memoryStore();
    const store = defineStore(async (env, how) => {
      const driver = await openDriver(inside, env, how);
      return withCalls(driver, { trim: (plan) => driver.trim({ ...plan, ...forgets }) });
    });
    await expect(Sequence.play(placeOn(store), todo)).rejects.toMatchObject({ name: 'AssertionError' });
  });
});
