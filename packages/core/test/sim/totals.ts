import type { SeedReport } from './check-seed.ts';
import { type FaultCounts, faultKinds, noFaultsYet } from './fault-kind.ts';

/** A seed that showed something that must not be. */
export interface Failure {
  readonly seed: number;
  readonly violations: readonly string[];
}

/** What came of many seeds. */
export interface Totals {
  seeds: number;
  commits: number;
  takeovers: number;
  refusedStale: number;
  refusedLate: number;
  events: number;
  readonly faults: FaultCounts;
  readonly failures: Failure[];
  /** Seeds that were simulated twice, to see that the second trace is the first. */
  repeated: number;
}

export function newTotals(): Totals {
  const nothing = { seeds: 0, commits: 0, takeovers: 0, refusedStale: 0, refusedLate: 0, events: 0, repeated: 0 };
  return { ...nothing, faults: noFaultsYet(), failures: [] };
}

export function addReport(totals: Totals, { seed, stats, events, violations }: SeedReport): void {
  totals.seeds += 1;
  totals.commits += stats.commits;
  totals.takeovers += stats.takeovers;
  totals.refusedStale += stats.refusedStale;
  totals.refusedLate += stats.refusedLate;
  totals.events += events;
  for (const kind of faultKinds) totals.faults[kind] += stats.faults[kind];
  if (violations.length > 0) totals.failures.push({ seed, violations });
}

export function addTotals(totals: Totals, other: Totals): void {
  totals.seeds += other.seeds;
  totals.commits += other.commits;
  totals.takeovers += other.takeovers;
  totals.refusedStale += other.refusedStale;
  totals.refusedLate += other.refusedLate;
  totals.events += other.events;
  totals.repeated += other.repeated;
  for (const kind of faultKinds) totals.faults[kind] += other.faults[kind];
  totals.failures.push(...other.failures);
}

/** What is missing for the seeds to have shown anything. */
export function shortcomings({ seeds, takeovers, refusedStale, refusedLate, faults }: Totals): readonly string[] {
  const found: string[] = [];
  const atLeast = (what: string, count: number, share: number): void => {
    if (count < Math.floor(seeds * share)) found.push(`only ${count} ${what} in ${seeds} seeds`);
  };
  atLeast('takeovers', takeovers, 0.3);
  atLeast('refused stale commits', refusedStale, 0.05);
  atLeast('refused late commits', refusedLate, 0.02);
  for (const kind of faultKinds) atLeast(`faults of kind ${kind}`, faults[kind], kind === 'power-cut' ? 0.02 : 0.1);
  return found;
}

/** The totals, as they are printed. */
export function told(totals: Totals): string {
  const { seeds, commits, takeovers, refusedStale, refusedLate, events, repeated, faults } = totals;
  const kinds = faultKinds.map((kind) => `${kind} ${faults[kind]}`).join(', ');
  return [
    `${seeds} seeds (${repeated} of them twice, with the same trace), ${events} events, ${commits} commits`,
    `${takeovers} takeovers, ${refusedStale} stale and ${refusedLate} late commits refused`,
    `faults: ${kinds}`,
  ].join('\n');
}
