// Answers with and without the code, by id and by name, before and after a deploy that renames the question, and builds that
// lack graphs: in any order they give what a model says.
import * as fc from 'fast-check';
import { defineStore } from 'holdfast/store';
import { memoryStore } from 'holdfast/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { QuestionNames } from '../../../../src/engine/command/name/question-names.ts';
import { Registry } from '../../../../src/engine/registry.ts';
import type { NewEntry } from '../../../../src/record/record.ts';
import { openRecord, sealRecord } from '../../../../src/store/commit/encode.ts';
import type { StoredRecord } from '../../../../src/store/contract/commit.ts';
import { openDriver } from '../../../../src/store/store.ts';
import { withCalls } from '../../../../src/testing/with-calls.ts';
import { describeEverywhere, memoryPlace, type Place, placeOn } from '../../every-place.ts';
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

/** A store whose records are others when they are written or read. */
function changing(change: (entry: NewEntry, when: 'written' | 'read back') => NewEntry): Place {
  const inside = memoryStore();
  const changed = (runId: string, record: StoredRecord, when: 'written' | 'read back'): StoredRecord => {
    const entry = openRecord(runId, record);
    const other = change(entry, when);
    return other === entry ? record : sealRecord({ runId, seq: record.seq }, other);
  };
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    return withCalls(driver, {
      commit: (batches) =>
        driver.commit(
          batches.map((batch) => ({
            ...batch,
            records: batch.records.map((record) => changed(batch.runId, record, 'written')),
          })),
        ),
      records: async (query) => {
        const records = await driver.records(query);
        return query.order === 'oldest' ? records : records.map((each) => changed(query.runId, each, 'read back'));
      },
    });
  });
  return placeOn(store);
}

function note({ at }: NewEntry): NewEntry {
  return { kind: 'note', at };
}

interface Mutant {
  readonly name: string;
  readonly todo: readonly AnswerOperation[];
  readonly place: () => Place;
}

const mutants: readonly Mutant[] = [
  {
    name: 'a renamed question that only its old name answers',
    todo: [['deploy', 0, 0]],
    place: () => {
      vi.spyOn(QuestionNames.prototype, 'isNamed').mockImplementation((stored, present) => stored === present);
      return memoryPlace();
    },
  },
  {
    name: 'an answer with old code that waits for a question of its old name',
    todo: [
      ['deploy', 0, 0],
      ['by id', 0, 0],
      ['execute', 0, 0],
      ['by name', 1, 1],
      ['execute', 0, 0],
    ],
    place: () => {
      vi.spyOn(QuestionNames.prototype, 'present').mockImplementation((given) => given);
      return memoryPlace();
    },
  },
  {
    name: 'a repeat that is known only for the last question of a name',
    todo: [],
    place: () => changing((entry, when) => (when === 'read back' && entry.kind === 'wait' ? note(entry) : entry)),
  },
  {
    name: 'two answerers of whom the loser is never told',
    todo: [
      ['by id', 0, 1],
      ['by id', 3, 3],
    ],
    place: () =>
      changing((entry, when) => {
        const { refused } = (entry.payload ?? {}) as { readonly refused?: { readonly code: string } };
        return when === 'written' && refused?.code === 'HOLDFAST_ALREADY_ANSWERED' ? note(entry) : entry;
      }),
  },
  {
    name: 'an answer to a question that does not exist, accepted',
    todo: [['stray', 1, 0]],
    place: () => {
      vi.spyOn(QuestionNames.prototype, 'present').mockImplementation((given) => given);
      return memoryPlace();
    },
  },
  {
    name: 'a build that lacks a graph and is called safe',
    todo: [['check', 0, 7]],
    place: () => {
      vi.spyOn(Registry.prototype, 'has').mockReturnValue(true);
      return memoryPlace();
    },
  },
];

describe('the model of answers', () => {
  test.each(mutants)('catches $name', async ({ todo, place }) => {
    // Without the mutant the same operations give what the model says.
    await AnswerSequence.play(memoryPlace(), todo, () => said);
    await expect(AnswerSequence.play(place(), todo, () => said)).rejects.toMatchObject({ name: 'AssertionError' });
  });
});
