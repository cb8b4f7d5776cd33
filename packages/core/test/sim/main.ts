// npm run test:sim [-- --seeds 1000] [--from 1] [--seed 4711] [--no-mutants]
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { readFacts } from '../faults/runner/facts.ts';
import { codeDigest } from '../faults/runner/progress-file.ts';
import { duration, writeSection } from '../faults/runner/record.ts';
import type { Caught } from './catch-mutant.ts';
import { checkSeed } from './check-seed.ts';
import type { LaneMessage, LaneTask } from './lane.ts';
import { mutants } from './mutants.ts';
import { simSection } from './report.ts';
import { addTotals, type Failure, newTotals, shortcomings, type Totals, told } from './totals.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    'no-mutants': { type: 'boolean', default: false },
  },
});
const seeds = Number(values.seeds ?? 20_000);
const from = Number(values.from ?? 1);
const lanes = Math.min(availableParallelism(), seeds);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Simulates one seed and shows all of it. */
async function showSeed(seed: number): Promise<boolean> {
  const { trace, stats, violations, journals } = await checkSeed(seed);
  for (const [runId, journal] of journals) {
    say(runId);
    for (const { seq, kind, at, payload } of journal) say(`  ${seq} ${kind} ${at} ${JSON.stringify(payload)}`);
  }
  say(`seed ${seed}: trace ${trace}, ${JSON.stringify(stats)}`);
  for (const violation of violations) say(`  ${violation}`);
  return violations.length === 0;
}

function runLane(task: LaneTask, onMessage: (message: Exclude<LaneMessage, 'done'>) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const lane = new Worker(new URL('./lane.js', import.meta.url), {
      workerData: task,
      // Worlds are made and dropped: most of them never have to leave the nursery.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    lane.on('message', (message: LaneMessage) => {
      if (message === 'done') resolve();
      else onMessage(message);
    });
    lane.on('error', reject);
    lane.on('exit', (code) => reject(new Error(`a lane ended with ${code}`)));
  });
}

/** As soon as it is found: the rest may take long. */
function sayFailure({ seed, violations }: Failure): void {
  say(`seed ${seed} failed; npm run test:sim -- --seed ${seed} shows it alone:`);
  for (const violation of violations.slice(0, 5)) say(`  ${violation.slice(0, 1_000)}`);
}

async function simulateAll(): Promise<Totals> {
  const startedMs = performance.now();
  const totals = newTotals();
  let done = 0;
  const onMessage = (message: Exclude<LaneMessage, 'done'>): void => {
    if ('totals' in message) addTotals(totals, message.totals);
    if ('failure' in message) sayFailure(message.failure);
    if (!('progress' in message)) return;
    done += message.progress;
    if (done % 1_000 === 0) say(`${done} of ${seeds} seeds after ${duration(performance.now() - startedMs)}`);
  };
  const ranges = Array.from({ length: lanes }, (_, lane) => {
    const count = Math.floor((seeds + lanes - 1 - lane) / lanes);
    return { from: from + lane, count, stride: lanes };
  });
  await Promise.all(ranges.map((range) => runLane({ range }, onMessage)));
  say(`${told(totals)}\n${duration(performance.now() - startedMs)} in ${lanes} threads`);
  return totals;
}

async function catchAll(): Promise<readonly Caught[]> {
  const names = mutants().map(({ name }) => name);
  const caught = new Map<string, Caught>();
  const onMessage = (message: Exclude<LaneMessage, 'done'>): void => {
    if (!('caught' in message)) return;
    const { name, seeds: tried, violation } = message.caught;
    caught.set(name, message.caught);
    say(`${name}: ${violation === undefined ? 'NOT CAUGHT' : `seed ${tried}, ${violation.slice(0, 200)}`}`);
  };
  const shares = Array.from({ length: lanes }, (_, lane) => names.filter((_name, at) => at % lanes === lane));
  await Promise.all(shares.map((share) => runLane({ mutants: share }, onMessage)));
  return names.flatMap((name) => caught.get(name) ?? []);
}

async function showAll(): Promise<boolean> {
  // At the start: somebody may commit something else while it runs.
  const facts = readFacts(codeDigest());
  const startedMs = performance.now();
  const isWhole = values.seeds === undefined && values.from === undefined && !values['no-mutants'];
  const caught = isWhole ? await catchAll() : [];
  const totals = await simulateAll();
  const missing = seeds >= 1_000 ? shortcomings(totals) : [];
  for (const each of missing) say(each);
  if (isWhole) writeSection('test:sim', simSection({ facts, totals, caught, tookMs: performance.now() - startedMs }));
  return (
    totals.failures.length === 0 && missing.length === 0 && caught.every(({ violation }) => violation !== undefined)
  );
}

const isGood = values.seed === undefined ? await showAll() : await showSeed(Number(values.seed));
process.exitCode = isGood ? 0 : 1;
