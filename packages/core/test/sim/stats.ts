import { type FaultCounts, noFaultsYet } from './fault-kind.ts';

/** What came of one simulation, counted. */
export interface Stats {
  commits: number;
  takeovers: number;
  /** Commits that were refused because somebody else has taken the run. */
  refusedStale: number;
  /** Commits that were refused because they were settled to be absent before they arrived. */
  refusedLate: number;
  workers: number;
  readonly faults: FaultCounts;
  readonly violations: string[];
}

export function newStats(): Stats {
  return {
    commits: 0,
    takeovers: 0,
    refusedStale: 0,
    refusedLate: 0,
    workers: 0,
    faults: noFaultsYet(),
    violations: [],
  };
}
