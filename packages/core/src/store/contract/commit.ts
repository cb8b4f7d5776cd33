/** Writing: batches, and what became of them. */
import type { HeaderState, NewRun, RunHeader } from './run.ts';

/** A text and the checksum that binds it to its place. */
export interface Sealed {
  readonly text: string;
  readonly crc: number;
}

/** A record as a driver keeps it. */
export interface StoredRecord extends Sealed {
  readonly seq: number;
  /** Set only if a user chose one: `records({ id })` finds it. No two kept records of a run share an id. */
  readonly id: string | undefined;
}

/** A snapshot's place in the order of a run's snapshots: by `covers`, then by `seq`. */
export interface SnapshotKey {
  readonly covers: number;
  readonly seq: number;
}

/** A snapshot as a driver keeps it: a small head, listed without loading the body. */
export interface StoredSnapshot extends SnapshotKey {
  readonly head: Sealed;
  /** Undefined only in answers to a query without bodies. */
  readonly body: Sealed | undefined;
}

/**
 * Makes a batch part of a copy of a run that comes from elsewhere. From its first part, which creates it, to its last
 * the run is a draft: hidden, and written by such parts only. Its fork point may be in a hidden run, or in a draft. Parts
 * may also continue a hidden run that is no draft if nothing past its head was dropped: it is a draft again until the last.
 */
export interface CopyPart {
  /** Of the first part: what lies at or below it was trimmed before. The first record comes after it. */
  readonly floor: number;
  /** Of the last part: the run is no longer a draft; it is seen, or stays hidden for its forks. */
  readonly end: 'seen' | 'hidden' | null;
}

/** One atomic change of one run. */
export interface Batch {
  readonly runId: string;
  /** Unique. The driver keeps it with the batch's records for as long as it keeps them, so that `resolveDoubt` finds it. */
  readonly token: string;
  /** The head that the writer knows; for a new run 0, the fork point's seq, or the floor of a copy if that is higher. */
  readonly expect: number;
  /** The epoch that the writer knows; 0 for a new run, or what a refusal by `epoch` said. */
  readonly epoch: number;
  /** An owner's; null for everyone else. */
  readonly fence: number | null;
  /** Creates the run. Refused when it exists, or when its fork point cannot be forked from. */
  readonly create: NewRun | null;
  /** Their seqs continue from `expect` without a gap. */
  readonly records: readonly StoredRecord[];
  /** What is left out stays as it is. A new run has all of it. */
  readonly header: Partial<HeaderState>;
  readonly snapshot: StoredSnapshot | null;
  /** The owner releases the run. */
  readonly release: boolean;
  readonly at: number;
  readonly copy?: CopyPart | undefined;
}

/**
 * Why a batch was refused: the first that holds, in this order. For a batch that creates: `exists` (hidden runs too),
 * `base` (the fork point's run is missing, hidden (but for a copy), or does not hold that record itself, at its floor or
 * above; for a journal run, also when it has no snapshot of that seq), `epoch`. For any other: `missing` (hidden too; for
 * a part of a copy a run that is seen, or whose last records were dropped), `fence` (another worker leases the run),
 * `head` (someone else wrote), `epoch` (an earlier batch of the run was in doubt: name the epoch found and repeat).
 */
export type Refusal = 'exists' | 'base' | 'missing' | 'fence' | 'head' | 'epoch';

/** What became of a batch. A refusal says what was found: the header, hidden or not, and the epoch to name next time. */
export type BatchResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: Refusal; readonly found: RunHeader | undefined; readonly epoch: number };

/**
 * What became of a batch in doubt. `committed`: it is durable. `absent`: it is not there and never will be; the epoch to
 * repeat it with. `unknown`: the records at its place are gone, or it has none, so nobody can tell.
 */
export type DoubtResult =
  | { readonly outcome: 'committed' }
  | { readonly outcome: 'absent'; readonly found: RunHeader | undefined; readonly epoch: number }
  | { readonly outcome: 'unknown' };
