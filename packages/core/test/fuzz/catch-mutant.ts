import { laneOf } from './harnesses.ts';
import { bundleMutant, type Mutant } from './mutants.ts';
import { runFuzz } from './run-fuzz.ts';

/** Where to begin, and when to give up. */
export interface CatchOptions {
  readonly lanes: number;
  readonly from: number;
  readonly mostCases: number;
}

/** Less than for the product: a mutant that hangs is waited for twice. */
const watchdogMs = 500;

/** How many cases it took until the mutant showed as it should; undefined if it did not. */
export async function casesToCatch(mutant: Mutant, options: CatchOptions): Promise<number | undefined> {
  const { harness, shows } = mutant;
  const lane = await bundleMutant(mutant, laneOf(harness));
  const { cases, found } = await runFuzz({
    harness,
    lane,
    lanes: options.lanes,
    from: options.from,
    watchdogMs,
    goesOn: (count, soFar) => count < options.mostCases && !soFar.some(({ kind }) => shows.includes(kind)),
  });
  return found.some(({ kind }) => shows.includes(kind)) ? cases : undefined;
}
