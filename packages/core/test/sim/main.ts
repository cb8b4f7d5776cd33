import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { checkSeed } from './check-seed.ts';
import type { SeedRange } from './run-seeds.ts';
import { addTotals, newTotals, shortcomings, type Totals, told } from './totals.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The value of an option on the command line. */
function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
}

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

function runLane(range: SeedRange, onProgress: (seeds: number) => void): Promise<Totals> {
  return new Promise((resolve, reject) => {
    const lane = new Worker(new URL('./lane.js', import.meta.url), {
      workerData: range,
      // Worlds are made and dropped: most of them never have to leave the nursery.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    lane.on('message', (message: { readonly totals?: Totals; readonly progress?: number }) => {
      if (message.progress !== undefined) onProgress(message.progress);
      if (message.totals !== undefined) resolve(message.totals);
    });
    lane.on('error', reject);
    lane.on('exit', (code) => reject(new Error(`a lane ended with ${code}`)));
  });
}

async function showMany(from: number, seeds: number): Promise<boolean> {
  const lanes = Math.min(availableParallelism(), seeds);
  const startedAt = performance.now();
  const seconds = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
  let done = 0;
  const onProgress = (more: number): void => {
    done += more;
    if (done % 2_000 === 0) say(`${done} of ${seeds} seeds after ${seconds()}`);
  };
  const ranges = Array.from({ length: lanes }, (_, lane) => {
    const count = Math.floor((seeds + lanes - 1 - lane) / lanes);
    return { from: from + lane, count, stride: lanes };
  });
  const totals = newTotals();
  for (const part of await Promise.all(ranges.map((range) => runLane(range, onProgress)))) addTotals(totals, part);
  say(`${told(totals)}\n${seconds()} in ${lanes} threads`);
  for (const { seed, violations } of totals.failures) {
    say(`seed ${seed} failed; npm run test:sim -- --seed ${seed} shows it alone:`);
    for (const violation of violations.slice(0, 5)) say(`  ${violation.slice(0, 1_000)}`);
  }
  const missing = seeds >= 1_000 ? shortcomings(totals) : [];
  for (const each of missing) say(each);
  return totals.failures.length === 0 && missing.length === 0;
}

const alone = option('seed', -1);
const isGood = alone >= 0 ? await showSeed(alone) : await showMany(option('from', 1), option('seeds', 20_000));
process.exitCode = isGood ? 0 : 1;
