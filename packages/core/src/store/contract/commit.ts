/** Writing: batches and their results. */
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import type { HeaderState, NewRun, RunHeader } from './run.ts';

/** A text and the checksum that binds it to its place. */
export interface Sealed {
  readonly text: string;
  readonly crc: number;
}

/** A record as a driver stores it. */
export interface StoredRecord extends Sealed {
  readonly seq: number;
}

/**
 * The id that a user chose for a record. It outlives the record: a repeat is recognised after the record was trimmed. Only
 * hashes are stored, of the id and, as the text, of what a repeat has to equal. Ids are unique in a run.
 */
export interface StoredId extends Sealed {
  readonly id: string;
  /** The seq of the record. */
  readonly seq: number;
  /** When the record was written. */
  readonly at: number;
}

/** A snapshot's place in the order of a run's snapshots: by `covers`, then by `seq`. */
export interface SnapshotKey {
  readonly covers: number;
  readonly seq: number;
}

/** A snapshot as a driver stores it: a small head, listed without loading the body. */
export interface StoredSnapshot extends SnapshotKey {
  readonly head: Sealed;
  /** Undefined only in the results of a query without bodies. */
  readonly body: Sealed | undefined;
  /** Only in results: why it cannot be read, where the driver knows more than a checksum tells. */
  readonly unreadable?: HoldfastError | undefined;
}

/**
 * Marks a batch as part of a copied run. The first part creates the run. Until the last part, the run is a draft: hidden,
 * and written only by such parts. Its fork point may be in a hidden run or a draft. Parts may also continue a hidden run
 * that is not a draft if nothing after its head was dropped: it is a draft again until the last part.
 */
export interface CopyPart {
  /** Only in the first part: records up to this seq were trimmed in the original. The first record comes after it. */
  readonly floor: number;
  /** Only in the last part: the run stops being a draft. It becomes visible, or stays hidden for its forks. */
  readonly end: 'seen' | 'hidden' | null;
}

/** One atomic change of one run. */
export interface Batch {
  readonly runId: string;
  /** Unique. The driver stores it as long as the batch's records, so that `resolveDoubt` finds it. */
  readonly token: string;
  /** The head that the writer knows. For a new run: 0, the fork point's seq, or the floor of a copy if that is higher. */
  readonly expect: number;
  /** The epoch that the writer knows. For a new run: 0, or the epoch from an `epoch` refusal. */
  readonly epoch: number;
  /** The owner's fence. Null for all other writers. */
  readonly fence: number | null;
  /** Creates the run. Refused if it exists, or if its fork point cannot be forked. */
  readonly create: NewRun | null;
  /** Their seqs continue from `expect` without a gap. */
  readonly records: readonly StoredRecord[];
  /** Of those records that have an id. Usually none. An id that the run already has now belongs to the new record. */
  readonly ids: readonly StoredId[];
  /** Missing fields stay unchanged. A new run has all of them. */
  readonly header: Partial<HeaderState>;
  readonly snapshot: StoredSnapshot | null;
  /** The owner releases the run. */
  readonly release: boolean;
  readonly at: number;
  readonly copy?: CopyPart | undefined;
}

/**
 * Why a batch was refused: the first reason that applies, in this order. For a batch that creates: `exists` (hidden runs too),
 * `base` (the fork point's run is missing, a draft (but for a copy), or does not have that record itself, at its floor or
 * above; for a journal run, also when it has no snapshot of that seq), `epoch`. For any other: `missing` (hidden too; for
 * a part of a copy, a run that is visible or whose last records were dropped), `fence` (another worker leases the run),
 * `head` (someone else wrote), `epoch` (an earlier batch of the run was in doubt: repeat with the epoch found).
 */
export type Refusal = 'exists' | 'base' | 'missing' | 'fence' | 'head' | 'epoch';

/** The result of a batch. A refusal has the header that was found, hidden or not, and the epoch to use next time. */
export type BatchResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: Refusal; readonly found: RunHeader | undefined; readonly epoch: number };

/** Work on the user's own tables that commits together with a batch, or not at all. */
export interface Transaction {
  /** Does the work with the driver's client, inside the transaction. Drivers without a synchronous client may await it. */
  run(client: unknown): unknown;
  /** The batch, made of the result of the work. If it is refused, the work is taken back, unless `again` says otherwise. */
  batchOf(result: unknown): Batch;
  /**
   * The batch was refused. True: `batchOf` now makes another one of the same result, so that the work need not be done
   * again. A driver that cannot wait inside a transaction never asks.
   */
  again(why: Refusal): Promise<boolean>;
  /** Fails the work with this error, as if `run` had thrown it: the database refuses what it did only afterwards. */
  fail(error: unknown): never;
}

/**
 * The result of a batch in doubt. `committed`: it is durable. `absent`: it was not committed and never will be; repeat it
 * with this epoch. `unknown`: the records at its place are gone, or it has none, so the result cannot be determined.
 */
export type DoubtResult =
  | { readonly outcome: 'committed' }
  | { readonly outcome: 'absent'; readonly found: RunHeader | undefined; readonly epoch: number }
  | { readonly outcome: 'unknown' };
