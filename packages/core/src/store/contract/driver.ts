/**
 * The store contract: what a backend has to do. Everything store-independent lives in the checked store above it.
 *
 * A driver keeps runs: a header each, a journal of records and some snapshots. It never looks inside a text, and never
 * encodes, validates, retries or groups. Texts come with a checksum that the driver keeps and returns unchanged. Each
 * batch happens wholly or not at all. Nobody changes an object that was given to a driver or came from it.
 */
import type { Batch, BatchResult, DoubtResult, StoredRecord, StoredSnapshot } from './commit.ts';
import type { ClaimRequest, ClaimResult } from './lease.ts';
import type { LoadQuery, RecordQuery, RunsPage, RunsQuery, SnapshotQuery, StoredRun } from './read.ts';
import type { TrimPlan, TrimResult } from './retention.ts';

/** What a driver says about itself; the contract suite tests each both ways. */
export interface Capabilities {
  /** What was committed is there again when the same place is opened after a close or a crash. */
  readonly reopens: boolean;
  /** Several open drivers of one place see each other's commits. */
  readonly shared: boolean;
  /** How many groups of batches `commit` takes at the same time; never two with the same run. At least 1. */
  readonly groupsInFlight: number;
}

/** A hint that a run may have changed: its head after the change. Undefined: any run may have. */
export interface Hint {
  readonly runId: string;
  readonly head: number;
}

/** Called with every hint. */
export type HintListener = (hint: Hint | undefined) => void;

/** A backend. */
export interface StoreDriver {
  readonly capabilities: Capabilities;
  /** At most one batch per run, in run order. Resolves when all that were not refused are durable. Failures: see `storeFault`. */
  commit(batches: readonly Batch[]): Promise<readonly BatchResult[]>;
  /**
   * Settles a batch whose `commit` failed with an unknown effect: afterwards it is durable, or it can never become so. It
   * orders itself behind whatever may still be in flight, and raises the run's epoch if the batch is absent, so that a
   * late arrival is refused. For a batch that creates, the epoch of an absent run is kept for at least a day.
   */
  resolveDoubt(batch: Batch): Promise<DoubtResult>;
  /** The run, with what is needed to continue it; undefined when there is none. */
  load(query: LoadQuery): Promise<StoredRun | undefined>;
  /** The records of a run that meet the query, in its order; none for a run that does not exist. */
  records(query: RecordQuery): Promise<readonly StoredRecord[]>;
  /** The snapshots of a run that meet the query, greatest first. */
  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]>;
  /** The headers of the runs that meet the query, in its order. */
  runs(query: RunsQuery): Promise<RunsPage>;
  /** Leases: acquires, keeps and releases runs, and grants duties. */
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** Carries out a retention plan, or refuses it whole. */
  trim(plan: TrimPlan): Promise<TrimResult>;
  /** Hints are never relied on. Returns how to stop. */
  watch(listener: HintListener): () => void;
  /** Closes the place; nothing is asked of the driver afterwards. */
  close(): Promise<void>;
}
