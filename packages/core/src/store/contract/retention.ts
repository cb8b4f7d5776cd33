/** Retention: what may be dropped, checked against the forks in the driver's own transaction. */
import type { SnapshotKey, StoredSnapshot } from './commit.ts';

/**
 * A retention plan for one run. It changes neither `head` nor `updatedAt`. `hide` and `remove` raise the fence and release
 * the run, so that an owner is refused from then on. A hidden run can be trimmed like any other.
 */
export interface TrimPlan {
  readonly runId: string;
  /** Records up to this seq go, and snapshots that cover less. Needs a snapshot there: given here, or already kept. */
  readonly floor?: number | undefined;
  /** Takes the place of one with the same key. */
  readonly snapshot?: StoredSnapshot | undefined;
  /** These snapshots go. */
  readonly drop?: readonly SnapshotKey[] | undefined;
  /** Marks the run as deleted; records past `keepTo` go, and snapshots that lie or reach past it. */
  readonly hide?: { readonly keepTo: number } | undefined;
  /** The run and everything of it goes. */
  readonly remove?: boolean | undefined;
  /** Checks and counts, and changes nothing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * What became of a plan. A driver may do a large plan in bounded pieces: the first call checks it and makes all of it
 * visible (the floor is raised, the run hidden), and `more` asks for the same plan again until the rest is gone. Counts
 * are of this call. Of the refusals, the first that holds. `forks`: a fork, hidden or not, stands on what would go (below
 * the floor, above `keepTo`, on a snapshot of a journal run, or on a removed run). `floor`: there is no snapshot at the
 * floor, or it lies past the head, below the run's floor, or below its fork point.
 */
export type TrimResult =
  | {
      readonly ok: true;
      readonly records: number;
      readonly snapshots: number;
      readonly bytes: number;
      readonly more: boolean;
    }
  | { readonly ok: false; readonly why: 'missing' | 'forks' | 'floor' };
