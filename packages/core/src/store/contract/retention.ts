/** Retention: what to drop, checked against the forks in the driver's own transaction. */
import type { SnapshotKey, StoredId, StoredSnapshot } from './commit.ts';

/**
 * A retention plan for one run. It changes neither `head` nor `updatedAt`. `hide` and `remove` raise the fence and release
 * the run, so that its owner's later writes are refused. A hidden run can be trimmed like any other.
 */
export interface TrimPlan {
  readonly runId: string;
  /** The head that the plan was made for. Refused if the run has another one by now: someone wrote in between. */
  readonly head?: number | undefined;
  /** Drops the records up to this seq, but not their ids, and snapshots that cover less. Needs a snapshot there: passed here, or already stored. */
  readonly floor?: number | undefined;
  /** Replaces a snapshot with the same key. May come without a floor, to store a snapshot again. */
  readonly snapshot?: StoredSnapshot | undefined;
  /** Drops these snapshots. */
  readonly drop?: readonly SnapshotKey[] | undefined;
  /** Adds ids of records that the run does not have itself: those of a fork's base, or of a copied run. */
  readonly ids?: readonly StoredId[] | undefined;
  /** Drops the ids of trimmed records (up to the floor) that were written before this time. */
  readonly forgetIds?: number | undefined;
  /** Marks the run as deleted. Drops the records above `keepTo` with their ids, and snapshots that were written or reach above it. */
  readonly hide?: { readonly keepTo: number } | undefined;
  /** Removes the run completely, ids included. If its epoch is not 0, it is kept as for a creation in doubt (`resolveDoubt`). */
  readonly remove?: boolean | undefined;
  /** Checks and counts, and changes nothing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * The result of a plan. A driver may do a large plan in bounded pieces: the first call checks it and makes all of it
 * visible (the floor is raised, the run hidden), and while it returns `more`, the caller repeats the same plan. Counts are
 * for this call. The first refusal that applies is returned. `head`: the run has another head than the plan. `forks`: a fork, hidden or not, needs what would go (below the
 * floor, above `keepTo`, on a snapshot of a journal run, or on a removed run). `floor`: no snapshot exists at the
 * floor, or the floor is above the head, below the run's floor, or below its fork point.
 */
export type TrimResult =
  | {
      readonly ok: true;
      readonly records: number;
      readonly snapshots: number;
      readonly bytes: number;
      readonly more: boolean;
    }
  | { readonly ok: false; readonly why: 'missing' | 'head' | 'forks' | 'floor' };
