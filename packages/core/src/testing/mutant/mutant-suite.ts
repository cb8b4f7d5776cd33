import assert from 'node:assert/strict';
import type { ModelOptions } from '../model/model-options.ts';
import type { TestRunner } from '../test-runner.ts';
import { type Breakage, brokenPlace } from './breakage.ts';
import { differsFromModel, firstFailure } from './first-failure.ts';

interface MutantSuiteOptions extends TestRunner, Pick<ModelOptions, 'fc'> {
  /** What is broken. */
  readonly name: string;
  /** Broken in ways that both the tests of the contract and the model see. */
  readonly mutants: Readonly<Record<string, Breakage>>;
  /** Broken in ways that only the tests of the contract see. */
  readonly finerMutants: Readonly<Record<string, Breakage>>;
}

const timeoutMs = 60_000;

/** A test a broken store: a suite that has never caught anything proves nothing. */
export function mutantSuite({ describe, test, fc, name, mutants, finerMutants }: MutantSuiteOptions): void {
  describe(name, () => {
    for (const [mutant, breakage] of Object.entries({ ...mutants, ...finerMutants })) {
      const body = async (): Promise<void> =>
        assert.ok(await firstFailure(() => brokenPlace(breakage)), 'nothing failed');
      test(`fails the contract: ${mutant}`, body, timeoutMs);
    }
    for (const [mutant, breakage] of Object.entries(mutants)) {
      const body = async (): Promise<void> =>
        assert.ok(await differsFromModel({ create: () => brokenPlace(breakage), fc }), 'it does not differ');
      test(`differs from the model: ${mutant}`, body, timeoutMs);
    }
  });
}
