import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HarnessName } from '../mutant/mutant.ts';
import { mutantNamed } from '../mutants.ts';
import { type Job, mutantJobs, problemOf } from './job.ts';
import { missingFor } from './needs.ts';
import { runJob } from './run-job.ts';

interface SliceOptions {
  /** How many cycles each store sees. */
  readonly cycles: number;
  /** Only every so many of a list of things to try. */
  readonly every?: number | undefined;
  /** What the stores promise, for the tests' names. */
  readonly promise: string;
}

const seed = 1;
const triesAtMost = 4;

/**
 * The short slice of a harness that runs every day: each store as it is, and every mutant that it is the first to catch;
 * `npm run test:faults` tries each mutant on every harness that must catch it.
 */
export function slice(harness: HarnessName, { cycles, every = 1, promise }: SliceOptions): void {
  const missing = missingFor(harness);
  // The runner says that tests were skipped, and not why.
  if (missing.length > 0) process.stderr.write(`Left out: ${harness}, which needs ${missing.join(', ')}.\n`);
  describe.skipIf(missing.length > 0)(`${harness}, a slice`, () => {
    beforeAll(build);

    test.each(['sqlite', 'file'] as const)(`%s: ${promise}`, async (store) => {
      const job: Job = { harness, store, cycles };
      let result = await runJob(job, { lanes: 1, seed, every });
      // On a busy machine a few cycles may all miss what they were meant to hit: that is no finding, and no proof either.
      for (let more = 1; result.hits === 0 && result.violations.length === 0 && more < triesAtMost; more += 1) {
        result = await runJob(job, { lanes: 1, seed: seed + more, every });
      }
      expect(problemOf(job, result)).toBeUndefined();
    });

    const mutants = mutantJobs(harness).filter(({ mutant = '' }) => mutantNamed(mutant).caughtBy[0] === harness);
    test.each(mutants)('catches $mutant on $store', async (job) => {
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
