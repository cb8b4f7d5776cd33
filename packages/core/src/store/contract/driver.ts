/**
 * The store contract: what a backend must do. Everything store-independent lives in the checked store above it.
 *
 * A driver stores runs: each has a header, a journal of records and some snapshots. It never looks inside a text, and never
 * encodes, validates, retries or groups. Texts come with a checksum that the driver stores and returns unchanged. Each
 * batch is atomic. Objects passed to or returned by a driver are never changed.
 */
import type { Batch, BatchResult, DoubtResult, StoredId, StoredRecord, StoredSnapshot, Transaction } from './commit.ts';
import type { ClaimRequest, ClaimResult } from './lease.ts';
import type { IdQuery, LoadQuery, RecordQuery, RunsPage, RunsQuery, SnapshotQuery, StoredRun } from './read.ts';
import type { TrimPlan, TrimResult } from './retention.ts';

/** The capabilities of a driver. The contract suite tests each one, present or absent. */
export interface Capabilities {
  /** Commits survive a close or a crash: opening the same store again finds them. */
  readonly reopens: boolean;
  /** Several open drivers of one store see each other's commits. */
  readonly shared: boolean;
  /** How many groups `commit` accepts at the same time, never two with the same run. At least 1. */
  readonly groupsInFlight: number;
  /**
   * The driver can know that a worker has died before its lease ends: its process or its connection is gone. Claims then
   * treat the worker as dead at once, and `watch` sends a hint. Only if the death is certain; what is unknown waits for the
   * lease. Default: false.
   */
  readonly noticesDeath?: boolean | undefined;
}

/** A hint that a run may have changed, with its new head. Undefined: any run may have changed. */
export interface Hint {
  readonly runId: string;
  readonly head: number;
  /** No worker has to look for the run: one leases it, or no time wakes it. Absent or false: it may be due, now or later. */
  readonly notDue?: boolean | undefined;
}

/** Called with every hint. */
export type HintListener = (hint: Hint | undefined) => void;

/**
 * A store inside a transaction that its user has open. What is written becomes the store's when the user commits. A failure
 * takes back only the call, and the transaction goes on.
 */
export interface StoreWithin extends Pick<StoreDriver, 'commit' | 'load' | 'records' | 'snapshots' | 'ids' | 'runs'> {
  /** The store's time. Asked before anything is written. @throws HOLDFAST_INVALID_OPTION when no transaction is open */
  now(): Promise<number>;
  /** Whether the transaction is known to be open still. */
  isOpen(): boolean;
}

/** A backend. */
export interface StoreDriver {
  readonly capabilities: Capabilities;
  /** Commits at most one batch per run, in run order. Resolves when all accepted batches are durable. Failures: see `storeFault`. */
  commit(batches: readonly Batch[]): Promise<readonly BatchResult[]>;
  /**
   * Settles a batch whose `commit` failed with an unknown effect: afterwards it is durable, or never will be. It runs
   * after any write that may still be in flight, and raises the run's epoch if the batch is absent, so that a late
   * arrival is refused. If the batch would create the run, that epoch is kept for at least a day.
   */
  resolveDoubt(batch: Batch): Promise<DoubtResult>;
  /**
   * Does the work and commits its batch in one transaction. Whatever `run` or `batchOf` throws takes everything back and is
   * thrown again. Only stores that keep runs beside the user's own tables have it.
   */
  readonly transact?: ((transaction: Transaction) => Promise<BatchResult>) | undefined;
  /** The store inside a transaction that the user has open on this client, for drivers that have `transact`. */
  readonly within?: ((client: object) => StoreWithin) | undefined;
  /** The run, with everything needed to continue it. Undefined if it does not exist. */
  load(query: LoadQuery): Promise<StoredRun | undefined>;
  /** The records of a run that match the query, in its order. None if the run does not exist. */
  records(query: RecordQuery): Promise<readonly StoredRecord[]>;
  /** The snapshots of a run that match the query, greatest first. */
  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]>;
  /** The ids of a run that match the query, whether their records are stored or trimmed, by id. */
  ids(query: IdQuery): Promise<readonly StoredId[]>;
  /** The headers of the runs that match the query, in its order. */
  runs(query: RunsQuery): Promise<RunsPage>;
  /** Leases: acquires, renews and releases runs, and grants duties. */
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** Carries out a retention plan, or refuses all of it. */
  trim(plan: TrimPlan): Promise<TrimResult>;
  /** Sends hints. Callers never rely on them. Returns a function that stops it. */
  watch(listener: HintListener): () => void;
  /** Closes the store. The driver is not called afterwards. */
  close(): Promise<void>;
}
