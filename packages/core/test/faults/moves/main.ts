import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { MovesBench } from './kill-moves.ts';
import { mutants } from './mutants.ts';
import { type Operation, operations, type StoreKind } from './operation.ts';

const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.env['HOLDFAST_SEED'] ?? Date.now() % 1_000_000);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function lane(operation: Operation, store: StoreKind): Promise<void> {
  const begunAt = Date.now();
  await using bench = await MovesBench.prepare(store);
  const random = seededRandom(seed);
  const report = await bench.kill({
    operation,
    kills: Math.ceil(kills / 2),
    inTheMiddle: Math.ceil(kills / 8),
    random,
  });
  const seconds = Math.round((Date.now() - begunAt) / 1_000);
  const { inTheMiddle, violations } = report;
  const figures = `${report.kills} kills, ${inTheMiddle} in the middle, ${violations.length} violations`;
  say(`${operation} on ${store}: ${figures}, ${seconds} s, seed ${seed}`);
  for (const violation of violations) say(`  ${violation}`);
  if (violations.length > 0 || inTheMiddle === 0) process.exitCode = 1;
}

// A lane is a process at a time and waits for the disk for long: they go side by side.
await Promise.all(operations.flatMap((operation) => [lane(operation, 'file'), lane(operation, 'sqlite')]));

await using bench = await MovesBench.prepare('sqlite');
for (const { name, operation } of mutants) {
  const { kills: needed, violations } = await bench.kill({
    operation,
    kills: 500,
    random: seededRandom(seed),
    mutant: name,
  });
  const [violation] = violations;
  say(
    `a ${operation} that ${name}: ${violation === undefined ? 'NOT FOUND' : `found after ${needed} kills: ${violation}`}`,
  );
  if (violation === undefined) process.exitCode = 1;
}
