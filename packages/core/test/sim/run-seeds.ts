import { checkSeed } from './check-seed.ts';
import { addReport, newTotals, type Totals } from './totals.ts';

export interface SeedRange {
  readonly from: number;
  readonly count: number;
  /** The distance from one seed to the next. */
  readonly stride?: number | undefined;
}

/** Every so many seeds are simulated again: the same seed has to give the same trace. */
const repeatEvery = 50;

/** Simulates seeds one after another; `onSeed` may end it by giving false. */
export async function runSeeds(
  { from, count, stride = 1 }: SeedRange,
  onSeed?: (totals: Totals) => boolean,
): Promise<Totals> {
  const totals = newTotals();
  let seed = from;
  // A process that a promise rejects unheard would be ended by Node: no engine may do that to its users.
  const onUnhandled = (reason: unknown): void => {
    totals.failures.push({ seed, violations: [`an unhandled rejection: ${String(reason)}`] });
  };
  process.on('unhandledRejection', onUnhandled);
  for (let at = 0; at < count; at += 1) {
    seed = from + at * stride;
    const report = await checkSeed(seed);
    addReport(totals, report);
    if (seed % repeatEvery === 0) {
      totals.repeated += 1;
      const { trace } = await checkSeed(seed);
      if (trace !== report.trace) {
        totals.failures.push({ seed, violations: [`its trace is ${report.trace} and then ${trace}`] });
      }
    }
    if (onSeed?.(totals) === false) break;
  }
  process.off('unhandledRejection', onUnhandled);
  return totals;
}
