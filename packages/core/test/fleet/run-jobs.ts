import { parseArgs } from 'node:util';
import { type Facts, readFacts } from '../faults/runner/facts.ts';
import { codeDigest } from '../faults/runner/progress-file.ts';
import { writeSection } from '../faults/runner/record.ts';
import type { Job } from './jobs.ts';
import { type Played, play, problemOf } from './play.ts';
import { jobsSection } from './report.ts';

interface RunOptions {
  readonly name: 'fleet' | 'ha';
  readonly jobs: Readonly<Record<string, Job>>;
  readonly processes: number;
  /** In each process. */
  readonly workers: number;
  /** What the fleet works on. */
  readonly servers: string;
  /** What this machine cannot do, and why. */
  readonly leftOut?: readonly string[];
}

/** Plays the jobs and their mutants as the command line says, records a whole run, and gives the exit code. */
export async function runJobs({ name, jobs, processes, workers, servers, leftOut = [] }: RunOptions): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, seed: { type: 'string' }, 'no-mutants': { type: 'boolean' } },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const names = values.only?.split(',') ?? Object.keys(jobs);
  // At the start: somebody may commit something else while it runs.
  const facts: Facts = readFacts(codeDigest());
  const startedMs = performance.now();
  const played: Played[] = [];
  console.log(`${processes * workers} workers in ${processes} processes, seed ${seed}`);
  for (const line of leftOut) console.log(`Left out: ${line}`);
  for (const each of names) {
    const job = jobs[each];
    if (job === undefined) throw new Error(`There is no scene ${each}, only ${Object.keys(jobs).join(', ')}.`);
    const mutants = values['no-mutants'] === true ? [] : Object.keys(job.mutants);
    for (const mutant of [undefined, ...mutants]) {
      played.push(await tell(each, job, { processes, workers, seed, mutant }));
    }
  }
  const failures = played.filter((each) => problemOf(each) !== undefined).length;
  const isWhole = values.only === undefined && values['no-mutants'] !== true;
  const tookMs = performance.now() - startedMs;
  const section = jobsSection({ name, jobs, facts, played, workers, processes, servers, leftOut, tookMs });
  if (isWhole) writeSection(`test:${name}`, section);
  console.log(`${failures} failures, seed ${seed}`);
  return failures === 0 ? 0 : 1;
}

/** Plays a scene, and says how it goes and what came of it. */
async function tell(
  name: string,
  job: Job,
  options: Omit<Parameters<typeof play>[2], 'say' | 'rounds'>,
): Promise<Played> {
  const { mutant } = options;
  const title = mutant === undefined ? name : `${name}, broken: ${mutant}`;
  console.log(`${title} …`);
  const result = await play(name, job, { ...options, say: (line) => console.log(`  ${line}`) });
  const problem = problemOf(result);
  const { supersteps, acknowledged, surplus, violations, tookMs } = result;
  const figures = `${supersteps} super-steps, ${acknowledged} acknowledged, ${surplus} again, ${violations.length} violations, ${Math.round(tookMs / 1_000)} s`;
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${title}: ${figures}`);
  if (problem !== undefined) console.log(`  ${problem}`);
  return result;
}
