/** Reading: queries for records, snapshots and headers, and loading a whole run. */
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import type { SnapshotKey, StoredId, StoredRecord, StoredSnapshot } from './commit.ts';
import type { RunHeader, RunStatus, WaitHead } from './run.ts';

/** Which records of one run, hidden or not. All conditions must match. Does not include the records of its base. */
export interface RecordQuery {
  readonly runId: string;
  /** Only records above this seq. */
  readonly after?: number | undefined;
  /** Only records below this seq. */
  readonly before?: number | undefined;
  readonly order: 'oldest' | 'newest';
  readonly limit: number;
}

/** Which snapshots of one run, hidden or not, newest first. All conditions must match. */
export interface SnapshotQuery {
  readonly runId: string;
  /** Only those that cover at most this seq. */
  readonly covers?: number | undefined;
  /** Only those before this one in the order: the next older ones. */
  readonly before?: SnapshotKey | undefined;
  readonly limit: number;
  readonly bodies: boolean;
}

/** Which ids of one run, hidden or not. All conditions must match. Does not include the ids of its base. */
export interface IdQuery {
  readonly runId: string;
  /** Only this one. */
  readonly id?: string | undefined;
  /** Only those of records up to this seq. */
  readonly upTo?: number | undefined;
  /** The page after this id. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Which run headers. All conditions must match. Only `runIds` and `hidden` find hidden runs. */
export interface RunsQuery {
  readonly runIds?: readonly string[] | undefined;
  /** Leased by this worker. */
  readonly worker?: string | undefined;
  readonly status?: readonly RunStatus[] | undefined;
  readonly graph?: string | undefined;
  /** In the frontier. */
  readonly node?: string | undefined;
  /** Has an open wait of this kind. */
  readonly waits?: WaitHead['kind'] | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly parentId?: string | undefined;
  /** Forks of this run. */
  readonly forkOf?: string | undefined;
  readonly idPrefix?: string | undefined;
  readonly updatedBefore?: number | undefined;
  readonly hidden?: boolean | undefined;
  /** By creation time, then by id. */
  readonly order: 'newest' | 'oldest';
  /** The page after this run, in that order. */
  readonly after?: { readonly createdAt: number; readonly runId: string } | undefined;
  readonly limit: number;
}

/** A page of headers. Corrupt headers are not in `headers`; the page is filled with others. */
export interface RunsPage {
  readonly headers: readonly RunHeader[];
  /** One error per corrupt header found. Later pages may report it again. */
  readonly corrupt: readonly HoldfastError[];
}

/** Which run to load, and how much of it. */
export interface LoadQuery {
  readonly runId: string;
  /** The run after this record. Default: the current run. */
  readonly upTo?: number | undefined;
  /** Only a snapshot before this one, because the newer one was corrupt. */
  readonly before?: SnapshotKey | undefined;
  /** The maximum number of records. 0: only the header and the lineage, no snapshot. */
  readonly limit: number;
  /** Also finds this id in the run, up to `upTo`, or in the part that it shares with the runs it was forked from. */
  readonly id?: string | undefined;
}

/** A snapshot, record or id, and the run that it belongs to: the loaded run or one of its bases. */
export interface Located<T> {
  readonly runId: string;
  readonly value: T;
}

/** A run, read in one round trip. */
export interface StoredRun {
  readonly header: RunHeader;
  /** The runs it was forked from, nearest first, hidden or not, as far up as its records reach. */
  readonly lineage: readonly RunHeader[];
  /** The greatest snapshot of its lineage that covers at most `upTo` and was written by then. */
  readonly snapshot: Located<StoredSnapshot> | undefined;
  /** The records after the snapshot, oldest first. Exactly `limit` records if there may be more. */
  readonly records: readonly Located<StoredRecord>[];
  /** The id that was asked for, if the run has it. */
  readonly id: Located<StoredId> | undefined;
}
