// What start.ts starts: node main.js faults|long [--only kill,power] [--fresh]
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { HarnessName } from '../mutant/mutant.ts';
import { readFacts } from './facts.ts';
import { isList, type Job, jobsOf, type Mode, nameOf, problemOf } from './job.ts';
import { noResult, sum } from './lane-result.ts';
import { missingFor } from './needs.ts';
import { codeDigest, ProgressFile } from './progress-file.ts';
import { writeSection } from './record.ts';
import { failureLines, reportSection } from './report.ts';
import { describeResult, runJob } from './run-job.ts';

const sayEveryMs = 5_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, fresh: { type: 'boolean' } },
});
const mode: Mode = positionals[0] === 'long' ? 'long' : 'faults';
const only = values.only?.split(',');
const code = codeDigest();
// At the start: somebody may commit something else while it runs.
const facts = readFacts(code);
const progress = new ProgressFile(join('node_modules', '.cache', 'holdfast-faults', `${mode}-${code}.json`));
// The full portion is short enough to be run at one go; the long one continues where it was ended.
if (mode === 'faults' || values.fresh === true) progress.clear();

const wanted = jobsOf(mode).filter(({ harness }) => only?.includes(harness) ?? true);
const missing = new Map<HarnessName, readonly string[]>();
for (const { harness } of wanted) {
  const lacks = missingFor(harness);
  if (lacks.length > 0) missing.set(harness, lacks);
}
const skipped = [...missing].map(([harness, lacks]) => `${harness}, which needs ${lacks.join(', ')}`);
for (const each of skipped) console.log(`Left out: ${each}.`);
if (skipped.length > 0 && mode === 'long') {
  console.error('The long run is recorded, and nothing is left out of it. Install what is missing and start it again.');
  process.exit(2);
}

const lanes = Math.max(1, Math.min(4, availableParallelism()));
const jobs = wanted.filter(({ harness }) => !missing.has(harness));

async function run(job: Job, laneCount: number): Promise<void> {
  const name = nameOf(job);
  const before = progress.get(name);
  if (before?.done === true) return console.log(`${name}: done before`);
  // A list is begun again; anything else continues.
  const goesOn = before !== undefined && !isList(job.harness);
  let result = goesOn ? before.result : noResult;
  const startedMs = performance.now() - (goesOn ? before.ms : 0);
  let saidMs = performance.now();
  const seed = 1 + result.cycles * 7_919;
  const left = {
    ...job,
    cycles: Math.max(laneCount, job.cycles - result.cycles),
    hits: job.hits === undefined ? undefined : Math.max(0, job.hits - result.hits),
  };
  const ran = runJob(left, {
    lanes: laneCount,
    seed,
    onPart: (part) => {
      result = sum(result, part);
      const ms = performance.now() - startedMs;
      if (performance.now() - saidMs < sayEveryMs) return;
      saidMs = performance.now();
      progress.set(name, { result, ms, done: false });
      console.log(`  ${describeResult(job, result, ms)}`);
    },
  });
  const error = await ran.then(
    () => undefined,
    (reason: unknown) => String(reason),
  );
  const ms = performance.now() - startedMs;
  progress.set(name, { result, ms, done: error === undefined, error });
  const problem = error ?? problemOf(job, result);
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${describeResult(job, result, ms)}`);
  if (problem !== undefined) console.log(`       ${problem}`);
}

/** Mutants run side by side, each in one lane; the stores as they are run alone, in all lanes. */
async function runMutants(all: readonly Job[]): Promise<void> {
  const queue = [...all];
  const worker = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await run(job, 1);
  };
  await Promise.all(Array.from({ length: lanes }, worker));
}

const startedMs = performance.now();
const progressOf = (job: Job): ReturnType<ProgressFile['get']> => progress.get(nameOf(job));

function record(): void {
  if (only !== undefined) return;
  const tookMs = mode === 'faults' ? performance.now() - startedMs : undefined;
  const section = reportSection({ mode, facts, jobs, progressOf, skipped, tookMs });
  writeSection(`test:${mode}`, section);
}

console.log(`${jobs.length} jobs in ${lanes} lanes`);
await runMutants(jobs.filter(({ mutant }) => mutant !== undefined));
for (const job of jobs.filter(({ mutant }) => mutant === undefined)) {
  await run(job, lanes);
  // The long run takes hours: what is done is on record, and what is not.
  if (mode === 'long') record();
}
record();

for (const job of jobs) for (const note of progressOf(job)?.result.notes ?? []) console.log(`${nameOf(job)}: ${note}`);
const failures = failureLines(jobs, progressOf);
for (const failure of failures.slice(0, 50)) console.error(failure);
console.log(`${failures.length} failures in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
process.exit(failures.length === 0 ? 0 : 1);
