import { compareWithModel } from '../model/compare-with-model.ts';
import type { ModelOptions } from '../model/model-options.ts';
import type { CreatePlace } from '../store-place.ts';
import { storeSuite } from '../store-suite.ts';

/** Runs the tests of the contract in this process and gives the names of those that fail. */
export async function failuresOf({ create }: { readonly create: CreatePlace }): Promise<readonly string[]> {
  const tests: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  let group = '';
  storeSuite({
    create,
    describe: (name, body) => {
      group = name;
      body();
    },
    test: (name, body) => tests.push({ name: `${group} ${name}`, body }),
  });
  const failed: string[] = [];
  for (const { name, body } of tests) {
    await body().catch(() => failed.push(name));
  }
  return failed;
}

interface DiffersOptions extends Pick<ModelOptions, 'fc'> {
  readonly create: CreatePlace;
}

/** Whether the model sees what is wrong with a store, within few sequences of a fixed seed. */
export async function differsFromModel({ create, fc }: DiffersOptions): Promise<boolean> {
  try {
    await compareWithModel({ create, model: { fc, seed: 7 }, numRuns: 300, faulty: false });
    return false;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Property failed')) return true;
    throw error;
  }
}
