import type { Keyring } from '../../value/secret/keyring.ts';
import { compareWithModel } from '../model/compare-with-model.ts';
import type { ModelOptions } from '../model/model-options.ts';
import { Tally } from '../model/tally.ts';
import type { CreatePlace } from '../store-place.ts';
import type { TestRunner } from '../test-runner.ts';

interface ModelContractOptions extends TestRunner {
  readonly create: CreatePlace;
  readonly model: ModelOptions;
  readonly keyring?: Keyring | undefined;
}

const timeoutMs = 600_000;

/** Few sequences may try too little by chance: then there are as many more, up to so many times. */
const mostRounds = 4;

/** What any sequence of calls promises: the answers that the contract's model gives, also while calls fail. */
export function modelContract({ describe, test, create, model, keyring }: ModelContractOptions): void {
  const numRuns = Math.max(model.numRuns ?? 1_000, Number(process.env['HOLDFAST_SEQUENCES'] ?? 0));
  describe('any sequence of calls', () => {
    test(
      'gives the same answers as the model',
      async () => {
        const tally = new Tally();
        for (let round = 0; round < mostRounds && tally.shortcoming !== undefined; round += 1) {
          await compareWithModel({ create, model, numRuns, keyring, faulty: false, tally });
        }
        tally.assertEnough();
      },
      timeoutMs,
    );
    test(
      'gives the same answers as the model while calls fail',
      async () => {
        const tally = await compareWithModel({ create, model, numRuns, keyring, faulty: true });
        tally.assertFaults();
      },
      timeoutMs,
    );
  });
}
