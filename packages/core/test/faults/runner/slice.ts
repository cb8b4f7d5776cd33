import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HarnessName } from '../mutant/mutant.ts';
import { mutantNamed } from '../mutants.ts';
import { type Job, mutantJobs, problemOf } from './job.ts';
import { missingFor } from './needs.ts';
import { runJob } from './run-job.ts';

interface SliceOptions {
  /** How many cycles each store sees at least. */
  readonly cycles: number;
  /** How many of them must hit: it continues until they have. Where there is a list of things to try, a share of it. */
  readonly hits?: number | undefined;
  /** Only every so many of a list of things to try. */
  readonly every?: number | undefined;
  /** What the stores promise, for the tests' names. */
  readonly promise: string;
}

const seed = 1;

/** Ends what hangs, and nothing else. */
const timeout = 1_200_000;

/**
 * The short slice of a harness that runs every day: each store as it is, and every mutant that it is the first to catch;
 * `npm run test:faults` tries each mutant on every harness that must catch it.
 */
export function slice(harness: HarnessName, { cycles, hits, every = 1, promise }: SliceOptions): void {
  const missing = missingFor(harness);
  // The runner says that tests were skipped, and not why.
  if (missing.length > 0) process.stderr.write(`Left out: ${harness}, which needs ${missing.join(', ')}.\n`);
  describe.skipIf(missing.length > 0)(`${harness}, a slice`, () => {
    beforeAll(build);

    test.each(['sqlite', 'file'] as const)(`%s: ${promise}`, { timeout }, async (store) => {
      const job: Job = { harness, store, cycles, hits };
      const result = await runJob(job, { lanes: 1, seed, every });
      expect(problemOf(job, result)).toBeUndefined();
    });

    const mutants = mutantJobs(harness).filter(({ mutant = '' }) => mutantNamed(mutant).caughtBy[0] === harness);
    test.each(mutants)('catches $mutant on $store', { timeout }, async (job) => {
      const result = await runJob(job, { lanes: 1, seed });
      expect(problemOf(job, result)).toBeUndefined();
    });
  });
}

/** The processes of a harness run bundled code: it is brought up to date, which takes a moment when it already is. */
export function build(): void {
  const bundler = fileURLToPath(new URL('../../../../../scripts/bundle.mjs', import.meta.url));
  execFileSync(process.execPath, [bundler, 'faults']);
}
