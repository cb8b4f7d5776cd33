import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { casesToCatch } from './catch-mutant.ts';
import { builtLaneOf, harnessNames } from './harnesses.ts';
import { mutants } from './mutants.ts';
import { runFuzz, summaryOf } from './run-fuzz.ts';

/** A slice; `npm run test:fuzz` continues for a quarter of an hour, from another seed each time. */
const cases = 120;
const first = 1;
/** Many times what the long run allows: a busy machine fails no test. */
const watchdogMs = 60_000;
/** A mutant that so many cases do not show is not caught. */
const casesForMutants = 600;

const isSlice = (count: number): boolean => count < cases;

describe('the fuzz', () => {
  test.each(harnessNames)('finds nothing in %s', async (harness) => {
    // `serve` and `studio` load the packages as they are shipped.
    const bundles = ['core', 'server', 'studio', 'fuzz', 'cli-fuzz'];
    expect(spawnSync(process.execPath, ['scripts/bundle.mjs', ...bundles])).toMatchObject({ status: 0 });
    const lane = builtLaneOf(harness);
    const { found } = await runFuzz({ harness, lane, lanes: 2, from: first, watchdogMs, goesOn: isSlice });
    expect(summaryOf(found)).toEqual([]);
  });

  // The mutant of `long` is left out because nothing here has caught it: it ran for minutes. `test:fuzz` still tries it.
  test.each(mutants.filter(({ harness }) => harness !== 'long'))('catches: $name', async (mutant) => {
    const options = { lanes: 2, from: first, mostCases: casesForMutants };
    expect(await casesToCatch(mutant, options)).toBeTypeOf('number');
  });
});
