// npm run test:moves [-- --kills 20] [--seed 4711]
import { parseArgs } from 'node:util';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { readFacts } from '../runner/facts.ts';
import { codeDigest } from '../runner/progress-file.ts';
import { duration, sectionHead, tableOf, writeSection } from '../runner/record.ts';
import { MovesBench } from './kill-moves.ts';
import { mutants } from './mutants.ts';
import { type Operation, operations, type StoreKind } from './operation.ts';

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
/** Of each operation, half of them on each store. */
const kills = Number(values.kills ?? 200);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
// At the start: somebody may commit something else while it runs.
const facts = readFacts(codeDigest());
const startedMs = performance.now();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function lane(operation: Operation, store: StoreKind): Promise<readonly (string | number)[]> {
  const begunMs = performance.now();
  await using bench = await MovesBench.prepare(store);
  const random = seededRandom(seed);
  const report = await bench.kill({
    operation,
    kills: Math.ceil(kills / 2),
    inTheMiddle: Math.ceil(kills / 8),
    random,
  });
  const took = duration(performance.now() - begunMs);
  const { inTheMiddle, violations } = report;
  const figures = `${report.kills} kills, ${inTheMiddle} in the middle, ${violations.length} violations`;
  say(`${operation} on ${store}: ${figures}, ${took}, seed ${seed}`);
  for (const violation of violations) say(`  ${violation}`);
  if (violations.length > 0 || inTheMiddle === 0) process.exitCode = 1;
  return [operation, store, report.kills, inTheMiddle, violations.length, took];
}

// A lane is a process at a time and waits for the disk for long: they go side by side.
const sound = await Promise.all(
  operations.flatMap((operation) => [lane(operation, 'file'), lane(operation, 'sqlite')]),
);

const broken: (readonly string[])[] = [];
await using bench = await MovesBench.prepare('sqlite');
for (const { name, operation } of mutants) {
  const random = seededRandom(seed);
  const report = await bench.kill({ operation, kills: 500, random, mutant: name });
  const [violation] = report.violations;
  say(`a ${operation} that ${name}: ${violation === undefined ? 'NOT FOUND' : `kill ${report.kills}, ${violation}`}`);
  if (violation === undefined) process.exitCode = 1;
  broken.push([operation, name, violation === undefined ? `**no**, in ${report.kills} kills` : `kill ${report.kills}`]);
}

if (values.kills === undefined) {
  const section = [
    ...sectionHead('test:moves', facts, performance.now() - startedMs),
    ...tableOf(['operation', 'store', 'kills', 'in the middle', 'lost, partial or otherwise wrong', 'time'], sound),
    '',
    ...tableOf(['operation', 'broken: it', 'caught'], broken),
  ];
  writeSection('test:moves', section.join('\n'));
}
