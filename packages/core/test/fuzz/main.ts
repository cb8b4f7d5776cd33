// npm run test:fuzz [-- --minutes 15] [--harness import] [--seed 4711] [--from 1]
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { setup as servePostgres } from '../../../../test/postgres-server.ts';
import { readFacts } from '../faults/runner/facts.ts';
import { codeDigest } from '../faults/runner/progress-file.ts';
import { writeSection } from '../faults/runner/record.ts';
import { casesToCatch } from './catch-mutant.ts';
import { builtLaneOf, type HarnessName, harnessNames } from './harnesses.ts';
import { LaneProcess } from './lane-process.ts';
import { mutants } from './mutants.ts';
import { reportSection } from './report.ts';
import { type FuzzReport, runFuzz, summaryOf } from './run-fuzz.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    harness: { type: 'string' },
    seed: { type: 'string' },
    'no-mutants': { type: 'boolean', default: false },
    from: { type: 'string', default: String(1 + (Date.now() % 1_000_000_000)) },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const wanted = harnessNames.filter((name) => values.harness === undefined || name === values.harness);
const lanes = Math.max(1, Math.min(4, availableParallelism()));
const from = Number(values.from);
/** More than anything found before is a bug in the fuzz. */
const mostFound = 2_000;
/** A mutant that so many cases do not show is not caught. */
const casesForMutants = 3_000;

async function showSeed(harness: HarnessName, seed: number): Promise<boolean> {
  const lane = new LaneProcess(builtLaneOf(harness));
  const findings = await lane.run(harness, seed);
  lane.close();
  say(`${harness} ${seed}: ${findings.length} findings`);
  for (const { kind, what } of findings) say(`  ${kind}: ${what}`);
  return findings.length === 0;
}

/** One after the other, so that the watchdog sees one case on each core. */
async function showAll(): Promise<boolean> {
  const facts = readFacts(codeDigest());
  const caught: { readonly name: string; readonly harness: HarnessName; readonly how: string | undefined }[] = [];
  for (const mutant of mutants.filter(({ harness }) => !values['no-mutants'] && wanted.includes(harness))) {
    const cases = await casesToCatch(mutant, { lanes, from, mostCases: casesForMutants });
    const how = cases === undefined ? undefined : `case ${cases}, ${mutant.shows.join(' or ')}`;
    say(`${mutant.name}: ${how ?? 'NOT CAUGHT'}`);
    caught.push({ name: mutant.name, harness: mutant.harness, how });
  }
  const reports: FuzzReport[] = [];
  const msEach = (Number(values.minutes) * 60_000) / wanted.length;
  for (const harness of wanted) reports.push(await showHarness(harness, msEach));
  const findings = summaryOf(reports.flatMap(({ found }) => found));
  for (const finding of findings) say(finding);
  if (values.harness === undefined && !values['no-mutants']) {
    writeSection('test:fuzz', reportSection({ facts, from, reports, caught, findings }));
  }
  return findings.length === 0 && caught.every(({ how }) => how !== undefined);
}

async function showHarness(harness: HarnessName, ms: number): Promise<FuzzReport> {
  const startedMs = performance.now();
  let saidMs = startedMs;
  const goesOn: Parameters<typeof runFuzz>[0]['goesOn'] = (cases, found) => {
    const nowMs = performance.now();
    if (nowMs - saidMs > 10_000) {
      saidMs = nowMs;
      say(`  ${harness}: ${cases} cases, ${found.length} findings after ${Math.round((nowMs - startedMs) / 1_000)} s`);
    }
    return nowMs - startedMs < ms && found.length < mostFound;
  };
  const report = await runFuzz({ harness, lane: builtLaneOf(harness), lanes, from, goesOn });
  say(`${harness}: ${report.cases} cases from seed ${from}, ${report.found.length} findings`);
  return report;
}

const stop = servePostgres();
try {
  const isGood =
    values.seed === undefined ? await showAll() : await showSeed(wanted[0] ?? 'import', Number(values.seed));
  process.exitCode = isGood ? 0 : 1;
} finally {
  await stop();
}
