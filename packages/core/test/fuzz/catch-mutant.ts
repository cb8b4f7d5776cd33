import { laneOf } from './harnesses.ts';
import { bundleMutant, type Mutant } from './mutants.ts';
import { runFuzz } from './run-fuzz.ts';

/** Where to begin, and when to give up. */
export interface CatchOptions {
  readonly lanes: number;
  readonly from: number;
  readonly mostCases: number;
}

/** How many cases it took until the mutant showed as it should; undefined if it did not. */
export async function casesToCatch(mutant: Mutant, options: CatchOptions): Promise<number | undefined> {
  const { harness, shows } = mutant;
  const lane = await bundleMutant(mutant, laneOf(harness));
  const { cases, found } = await runFuzz({
    harness,
    lane,
    lanes: options.lanes,
    from: options.from,
    goesOn: (count, soFar) => count < options.mostCases && !soFar.some(({ kind }) => kind === shows),
  });
  return found.some(({ kind }) => kind === shows) ? cases : undefined;
}
