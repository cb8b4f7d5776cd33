// A process that tries cases: it is told a harness and a seed, and says what it found. Its parent ends it if it hangs.
import { seededRandom } from '../../src/testing/seeded-random.ts';
import { type StoreName, storeNames, warmUp } from './case-place.ts';
import { encryptedCase, encryptedRuns } from './encrypted-case.ts';
import { describeError, type Finding } from './finding.ts';
import { pick, type Random } from './hostile-json.ts';
import { importCase, realExports } from './import-case.ts';
import { realRuns, recordCase } from './record-case.ts';
import { rowCase } from './row-case.ts';

/** What a lane is told. */
interface CaseOrder {
  readonly harness: string;
  readonly seed: number;
}

const [exports, plain, secret] = [await realExports(), await realRuns(), await encryptedRuns()];
await warmUp();

/** Memory is the fastest, and has most of the cases. */
function storeFor(random: Random): StoreName {
  return random() < 0.5 ? 'memory' : pick(random, storeNames);
}

const harnesses: Readonly<Record<string, (random: Random) => Promise<readonly Finding[]>>> = {
  import: (random) => importCase(exports, random, storeFor(random)),
  record: (random) => recordCase(plain, random, storeFor(random)),
  row: (random) => rowCase(plain, random),
  encrypted: (random) => encryptedCase({ plain, secret }, random, storeFor(random)),
};

let stray: Finding[] = [];
process.on('unhandledRejection', (error) => {
  stray.push({ kind: 'untyped', what: `nobody caught ${describeError(error)}` });
});
process.on('uncaughtException', (error) => {
  stray.push({ kind: 'untyped', what: `nobody caught ${describeError(error)}` });
});
// Hostile stores are warned of, thousands of times.
process.removeAllListeners('warning');

process.on('message', ({ harness, seed }: CaseOrder) => {
  stray = [];
  const before = process.cpuUsage();
  const run = harnesses[harness];
  if (run === undefined) throw new Error(`there is no harness ${harness}`);
  void run(seededRandom(seed))
    .catch((error: unknown) => [{ kind: 'untyped', what: `the case: ${describeError(error)}` } as const])
    .then((findings) => {
      const { user, system } = process.cpuUsage(before);
      process.send?.({ findings: [...findings, ...stray], cpuMs: (user + system) / 1_000 });
    });
});
// A parent that was killed ends nobody.
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
