/** Reading: queries over records, snapshots and headers, and loading a run whole. */
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import type { SnapshotKey, StoredRecord, StoredSnapshot } from './commit.ts';
import type { RunHeader, RunStatus, WaitHead } from './run.ts';

/** Which records of one run, hidden or not; conditions all hold together. Those of the run it was forked from are not among them. */
export interface RecordQuery {
  readonly runId: string;
  /** Only records past this seq. */
  readonly after?: number | undefined;
  /** Only records below this seq. */
  readonly before?: number | undefined;
  /** Only the record with this chosen id. */
  readonly id?: string | undefined;
  readonly order: 'oldest' | 'newest';
  readonly limit: number;
}

/** Snapshots of one run, hidden or not, newest first; conditions all hold together. */
export interface SnapshotQuery {
  readonly runId: string;
  /** Only those that cover at most this seq. */
  readonly covers?: number | undefined;
  /** Only those before this one in the order: the next older ones. */
  readonly before?: SnapshotKey | undefined;
  readonly limit: number;
  readonly bodies: boolean;
}

/** Which run headers; conditions all hold together. Hidden runs are found only by `runIds` or `hidden`. */
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

/** A page of headers. Corrupt ones are left out of `headers`, never in silence, and the page is filled with others. */
export interface RunsPage {
  readonly headers: readonly RunHeader[];
  /** One error for each corrupt header that was met; it may be met again on every page. */
  readonly corrupt: readonly HoldfastError[];
}

/** Which run to load, and how much of it. */
export interface LoadQuery {
  readonly runId: string;
  /** The run as it was at the end of this record; default: as it is. */
  readonly upTo?: number | undefined;
  /** Only a snapshot before this one in the order: the newest was corrupt. */
  readonly before?: SnapshotKey | undefined;
  /** At most this many records; 0: the header, the lineage and no snapshot. */
  readonly limit: number;
}

/** A snapshot or record, and the run that holds it: the loaded one, or one that it was forked from. */
export interface Held<T> {
  readonly runId: string;
  readonly value: T;
}

/** A run, read in one round trip. */
export interface StoredRun {
  readonly header: RunHeader;
  /** The runs it was forked from, nearest first, hidden or not, as far up as its records reach. */
  readonly lineage: readonly RunHeader[];
  /** The greatest snapshot in the order that its lineage holds, of those that cover at most `upTo` and were written by then. */
  readonly snapshot: Held<StoredSnapshot> | undefined;
  /** The records after what the snapshot covers, oldest first; exactly `limit` of them when there may be more. */
  readonly records: readonly Held<StoredRecord>[];
}
