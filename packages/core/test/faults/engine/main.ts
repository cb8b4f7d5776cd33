import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { killEngine } from './kill-engine.ts';
import { mutants } from './victim-graph.ts';

const kills = Number(process.argv[2] ?? 500);
const seed = Number(process.env['HOLDFAST_SEED'] ?? Date.now() % 1_000_000);
const random = seededRandom(seed);
for (const store of ['file', 'sqlite'] as const) {
  const begunAt = Date.now();
  const report = await killEngine({ store, kills: Math.ceil(kills / 2), random });
  const seconds = Math.round((Date.now() - begunAt) / 1_000);
  process.stdout.write(`${store}: ${report.kills} kills in ${report.runs} runs, ${seconds} s, seed ${seed}\n`);
  for (const violation of report.violations) process.stdout.write(`  ${violation}\n`);
  if (report.violations.length > 0) process.exitCode = 1;
}

for (const mutant of mutants) {
  const { kills: needed, violations } = await killEngine({
    store: 'sqlite',
    kills: 200,
    random,
    mutant,
    isHasty: true,
  });
  const [violation] = violations;
  const found = violation === undefined ? 'NOT FOUND' : `found after ${needed} kills: ${violation}`;
  process.stdout.write(`an engine that ${mutant}: ${found}\n`);
  if (violation === undefined) process.exitCode = 1;
}
