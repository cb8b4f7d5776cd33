import { compareWithModel } from '../model/compare-with-model.ts';
import type { ModelOptions } from '../model/model-options.ts';
import type { CreatePlace } from '../store-place.ts';
import { storeSuite } from '../store-suite.ts';

interface Recorded {
  readonly name: string;
  readonly body: () => Promise<void>;
}

/** The tests of the contract, for a runner of one's own. */
export function contractTests(create: CreatePlace): readonly Recorded[] {
  const tests: Recorded[] = [];
  let group = '';
  storeSuite({
    create,
    describe: (name, body) => {
      group = name;
      body();
    },
    test: (name, body) => tests.push({ name: `${group} ${name}`, body }),
  });
  return tests;
}

/** Runs the tests of the contract in this process and gives the name of the first that fails. */
export async function firstFailure(create: CreatePlace): Promise<string | undefined> {
  for (const { name, body } of contractTests(create)) {
    try {
      await body();
    } catch {
      return name;
    }
  }
  return undefined;
}

interface DiffersOptions extends Pick<ModelOptions, 'fc'> {
  readonly create: CreatePlace;
  /** Whether calls are made to fail as well. */
  readonly faulty?: boolean | undefined;
}

/** Whether the model sees what is wrong with a store, within few sequences of a fixed seed. */
export async function differsFromModel({ create, fc, faulty = false }: DiffersOptions): Promise<boolean> {
  try {
    await compareWithModel({ create, model: { fc, seed: 7 }, numRuns: 200, faulty, shrinks: false });
    return false;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Property failed')) return true;
    throw error;
  }
}
