import { builtLaneOf, type HarnessName, laneOf } from './harnesses.ts';
import { LaneProcess } from './lane-process.ts';
import { bundleMutant, type Mutant } from './mutants.ts';
import { type Found, runFuzz } from './run-fuzz.ts';

/** Where to begin, and when to give up. */
export interface CatchOptions {
  readonly lanes: number;
  readonly from: number;
  readonly mostCases: number;
}

/** Less than for the product: a mutant that hangs is waited for twice. A case that is only slow is tried again, as there. */
const watchdogMs = 1_000;

/**
 * How many cases it took until the mutant showed as it should, in a case in which the product does not; undefined if it
 * did not. On a busy machine, anything may take longer than the watchdog lets it.
 */
export async function casesToCatch(mutant: Mutant, options: CatchOptions): Promise<number | undefined> {
  const { harness, shows } = mutant;
  const lane = await bundleMutant(mutant, laneOf(harness));
  for (let { from } = options; from < options.from + options.mostCases; ) {
    const last = options.from + options.mostCases - from;
    const { found } = await runFuzz({
      harness,
      lane,
      lanes: options.lanes,
      from,
      watchdogMs,
      goesOn: (count, soFar) => count < last && !soFar.some(({ kind }) => shows.includes(kind)),
    });
    const shown = found.find(({ kind }) => shows.includes(kind));
    if (shown === undefined) return undefined;
    if (!(await isShownBySound(harness, shown))) return shown.seed - options.from + 1;
    from = shown.seed + 1;
  }
  return undefined;
}

async function isShownBySound(harness: HarnessName, { seed, kind }: Found): Promise<boolean> {
  const lane = new LaneProcess(builtLaneOf(harness), watchdogMs);
  const findings = await lane.run(harness, seed);
  lane.close();
  return findings.some((finding) => finding.kind === kind);
}
