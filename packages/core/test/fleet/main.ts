// npm run test:fleet [-- --only server,workers] [--no-mutants] [--seed 4711]
import { parseArgs } from 'node:util';
import { readFacts } from '../faults/runner/facts.ts';
import { codeDigest } from '../faults/runner/progress-file.ts';
import { writeSection } from '../faults/runner/record.ts';
import { jobs } from './jobs.ts';
import { type Played, play, problemOf } from './play.ts';
import { fleetSection } from './report.ts';

const processes = 5;
const workers = 10;

const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string' }, 'no-mutants': { type: 'boolean' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const names = values.only?.split(',') ?? Object.keys(jobs);
// At the start: somebody may commit something else while it runs.
const facts = readFacts(codeDigest());
const startedMs = performance.now();
const played: Played[] = [];
let failures = 0;

const say = (line: string): void => console.log(`  ${line}`);

async function run(name: string, mutant?: string): Promise<void> {
  const title = mutant === undefined ? name : `${name}, broken: ${mutant}`;
  console.log(`${title} …`);
  const result = await play(name, { processes, workers, seed, mutant, say });
  played.push(result);
  const problem = problemOf(result);
  const { supersteps, acknowledged, surplus, violations, tookMs } = result;
  const figures = `${supersteps} super-steps, ${acknowledged} acknowledged, ${surplus} again, ${violations.length} violations, ${Math.round(tookMs / 1_000)} s`;
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${title}: ${figures}`);
  if (problem === undefined) return;
  failures += 1;
  console.log(`  ${problem}`);
}

console.log(`${processes * workers} workers in ${processes} processes, seed ${seed}`);
for (const name of names) {
  await run(name);
  if (values['no-mutants'] === true) continue;
  for (const mutant of Object.keys(jobs[name]?.mutants ?? {})) await run(name, mutant);
}
const isWhole = values.only === undefined && values['no-mutants'] !== true;
const section = fleetSection({ facts, played, workers, processes, tookMs: performance.now() - startedMs });
if (isWhole) writeSection('test:fleet', section);
console.log(`${failures} failures, seed ${seed}`);
process.exit(failures === 0 ? 0 : 1);
