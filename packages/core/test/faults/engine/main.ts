// npm run test:kills [-- --kills 50] [--seed 4711]
import { parseArgs } from 'node:util';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { readFacts } from '../runner/facts.ts';
import { codeDigest } from '../runner/progress-file.ts';
import { duration, sectionHead, tableOf, writeSection } from '../runner/record.ts';
import { killEngine } from './kill-engine.ts';
import { mutants } from './victim-graph.ts';

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const kills = Number(values.kills ?? 500);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const random = seededRandom(seed);
// At the start: somebody may commit something else while it runs.
const facts = readFacts(codeDigest());
const startedMs = performance.now();
const sound: (readonly (string | number)[])[] = [];
const broken: (readonly string[])[] = [];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

for (const store of ['file', 'sqlite'] as const) {
  const begunMs = performance.now();
  const report = await killEngine({ store, kills: Math.ceil(kills / 2), random });
  const took = duration(performance.now() - begunMs);
  const { runs, violations } = report;
  say(`${store}: ${report.kills} kills in ${runs} runs, ${violations.length} violations, ${took}, seed ${seed}`);
  for (const violation of violations) say(`  ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
  sound.push([store, report.kills, runs, violations.length, took]);
}

for (const mutant of mutants) {
  const report = await killEngine({ store: 'sqlite', kills: 200, random, mutant, isHasty: true });
  const [violation] = report.violations;
  say(`an engine that ${mutant}: ${violation === undefined ? 'NOT FOUND' : `kill ${report.kills}, ${violation}`}`);
  if (violation === undefined) process.exitCode = 1;
  broken.push([mutant, violation === undefined ? `**no**, in ${report.kills} kills` : `kill ${report.kills}`]);
}

if (values.kills === undefined) {
  const section = [
    ...sectionHead('test:kills', facts, performance.now() - startedMs),
    ...tableOf(['store', 'kills', 'runs', 'lost, repeated or otherwise wrong', 'time'], sound),
    '',
    ...tableOf(['an engine that', 'caught'], broken),
  ];
  writeSection('test:kills', section.join('\n'));
}
