import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { killMoves } from './kill-moves.ts';
import { mutants } from './mutants.ts';
import { operations } from './operation.ts';

const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.env['HOLDFAST_SEED'] ?? Date.now() % 1_000_000);
const random = seededRandom(seed);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

for (const operation of operations) {
  for (const store of ['file', 'sqlite'] as const) {
    const begunAt = Date.now();
    const report = await killMoves({ operation, store, kills: Math.ceil(kills / 2), random });
    const seconds = Math.round((Date.now() - begunAt) / 1_000);
    const { inTheMiddle, violations } = report;
    say(
      `${operation} on ${store}: ${report.kills} kills, ${inTheMiddle} in the middle, ${violations.length} violations, ${seconds} s, seed ${seed}`,
    );
    for (const violation of violations) say(`  ${violation}`);
    if (violations.length > 0 || inTheMiddle === 0) process.exitCode = 1;
  }
}

for (const { name, operation } of mutants) {
  const found: string[] = [];
  let needed = 0;
  for (const store of ['sqlite', 'file'] as const) {
    if (found.length > 0) break;
    const report = await killMoves({ operation, store, kills: 60, random, mutant: name });
    needed += report.kills;
    found.push(...report.violations);
  }
  say(
    `a ${operation} that ${name}: ${found[0] === undefined ? 'NOT FOUND' : `found after ${needed} kills: ${found[0]}`}`,
  );
  if (found[0] === undefined) process.exitCode = 1;
}
