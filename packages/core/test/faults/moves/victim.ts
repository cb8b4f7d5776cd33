import { mutantNamed } from './mutants.ts';
import { carryOut, type Operation, type Place } from './operation.ts';

/** What the process is told. */
export interface MoveOrders extends Place {
  readonly operation: Operation;
  readonly mutant?: string | undefined;
}

const { operation, mutant, ...place } = JSON.parse(process.argv[2] ?? '{}') as MoveOrders;

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

if (mutant !== undefined) mutantNamed(mutant).breakIt();
let begunAt = 0;
await carryOut(operation, place, () => {
  say({ ready: true });
  begunAt = performance.now();
});
say({ end: performance.now() - begunAt });
