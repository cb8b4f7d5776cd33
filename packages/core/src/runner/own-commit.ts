import type { FoldState } from '../delta/cell.ts';
import type { Commit } from '../store/check/check-commit.ts';
import type { HeaderState } from '../store/contract/run.ts';

/** What a commit does beside writing its records. */
export interface CommitOptions {
  /** The channels after the record that changes them, if known. */
  readonly values?: FoldState | undefined;
  /** Releases the run if it has no work. */
  readonly release?: boolean | undefined;
  /** Always releases the run. No worker leases it before this time. */
  readonly releaseUntil?: number | undefined;
}

/** A commit by this process, which leases the run. */
export interface OwnCommit extends Commit {
  readonly writer: { readonly by: 'owner'; readonly fence: number; readonly release: boolean };
  readonly header: Partial<HeaderState>;
}
