import type { HarnessName, StoreName } from '../mutant/mutant.ts';
import type { Violation } from '../verify/violation.ts';

/** What one lane is told to do: so many cycles of a harness on a store. */
export interface LaneOrders {
  readonly harness: HarnessName;
  readonly store: StoreName;
  readonly mutant?: string | undefined;
  readonly cycles: number;
  /** Continues until so many cycles have hit, for a limited number of cycles; default 0. */
  readonly hits?: number | undefined;
  readonly seed: number;
  /** Of a list of things to try, only every so many of those that are not part of a commit; default all. */
  readonly outside?: number | undefined;
  /** Where there is a list of things to try, which part of it: every `parts`-th, from `part` on. */
  readonly part?: number | undefined;
  readonly parts?: number | undefined;
  /** Continues after a violation, to find them all; default false. */
  readonly goOn?: boolean | undefined;
  /** Where it may put its files. */
  readonly directory: string;
}

/** What came of a lane, or of a part of it: figures that add up over lanes, and what was wrong. */
export interface LaneResult {
  readonly cycles: number;
  /** Acknowledged changes that were looked for afterwards. */
  readonly acknowledged: number;
  /** Cycles that hit what they were meant to; what that is differs, and docs/reliability.md says it. */
  readonly hits: number;
  /** What the store mended and said when it was opened. */
  readonly mended: number;
  readonly violations: readonly Violation[];
  /** What a person should know of it besides: what was not hit, say. */
  readonly notes?: readonly string[] | undefined;
}

/** Nothing yet. */
export const noResult: LaneResult = { cycles: 0, acknowledged: 0, hits: 0, mended: 0, violations: [] };

/** Two results as one. */
export function sum(left: LaneResult, right: LaneResult): LaneResult {
  return {
    cycles: left.cycles + right.cycles,
    acknowledged: left.acknowledged + right.acknowledged,
    hits: left.hits + right.hits,
    mended: left.mended + right.mended,
    violations: [...left.violations, ...right.violations],
    notes: [...(left.notes ?? []), ...(right.notes ?? [])],
  };
}
