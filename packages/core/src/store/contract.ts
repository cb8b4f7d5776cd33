/**
 * The store contract: what a backend has to do, and nothing that can be done once above it.
 *
 * A driver keeps runs: a header each, a journal of records and some snapshots. It never looks inside a text, never
 * encodes, checks, retries or groups; the checked store above it does. Texts come with a checksum that the driver
 * keeps and gives back unchanged. Everything a batch says happens together or not at all. Nobody changes an object
 * that was given to a driver or came from it.
 */
import type { Awaitable } from '../async/awaitable.ts';
import type { HoldfastError } from '../errors/holdfast-error.ts';
import type { BareEntry } from '../record/record.ts';

/** Where a fork begins: a record of another run. */
export interface ForkPoint {
  readonly runId: string;
  readonly seq: number;
}

/** A text and the checksum that binds it to its place. */
export interface Sealed {
  readonly text: string;
  readonly crc: number;
}

/** A record as a driver keeps it. */
export interface StoredRecord extends Sealed {
  readonly seq: number;
  /** Set only if a user chose one: `records({ id })` finds it. No two kept records of a run are given the same. */
  readonly id: string | undefined;
  /** What the text says, where that is little: for a driver that keeps it in less room. Left out of what is read. */
  readonly bare?: BareEntry | undefined;
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

/** The status of a run. */
export type RunStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** What the header says of an open wait; the rest is in its `wait` record. */
export interface WaitHead {
  readonly id: string;
  readonly kind: 'ask' | 'sleep' | 'receive' | 'pause' | 'child' | 'effect';
  readonly name: string;
  readonly node: string;
  readonly since: number;
  readonly until?: number | undefined;
}

/** The part of a run's header that batches change. */
export interface HeaderState {
  readonly status: RunStatus;
  /** Super-steps done. */
  readonly superstep: number;
  /** Nodes to run next. */
  readonly frontier: readonly string[];
  readonly waits: readonly WaitHead[];
  /** From when on a worker may claim the run; null: not by itself (ended, held, or a journal run). */
  readonly wakeAt: number | null;
  readonly tags: Readonly<Record<string, string>>;
}

/** Who executes a run: workers, by its graph; or a user's own loop, on our journal. */
export type RunKind = 'graph' | 'journal';

/** What is fixed when a run is created. */
export interface NewRun {
  /** A graph run is executed by workers; a journal run by its user: no worker claims it. */
  readonly kind: RunKind;
  readonly graph: string;
  readonly version: number;
  readonly forkedAt: ForkPoint | null;
  readonly parentId: string | null;
  readonly createdAt: number;
  /** The worker that holds the run from its first record on, with fence 1. */
  readonly worker: string | null;
}

/** All that is known of a run without reading its journal. */
export interface RunHeader extends NewRun, HeaderState {
  readonly runId: string;
  /** The seq of the last record; the base's where there is none yet. */
  readonly head: number;
  /** Records up to here have been trimmed away; 0 when none have. */
  readonly floor: number;
  /** The `at` of the last batch. */
  readonly updatedAt: number;
  /** Grows with every claim; an owner's batch must name it. */
  readonly fence: number;
  /** Claims since the last commit of an owner. */
  readonly claims: number;
  /** Deleted, but kept for the forks that stand on it; or a draft. */
  readonly hidden: boolean;
  /** A copy that is not whole yet: see `CopyPart`. Left out of all others. */
  readonly draft?: true | undefined;
  /** The token of the last batch. */
  readonly token: string;
}

/**
 * Makes a batch a part of a copy of a run that comes from elsewhere. From its first part, which creates it, to its last
 * the run is a draft: hidden, and written to by parts only. Its base may be hidden, and a draft itself. Parts may also
 * go on with a hidden run that is no draft, if nothing past its head was dropped: it is a draft again until the last.
 */
export interface CopyPart {
  /** Of the first part: what lies at or below it was trimmed away before. The first record comes after it. */
  readonly floor: number;
  /** Of the last part: the run is no draft any more; it is seen, or stays hidden for its forks. */
  readonly end: 'seen' | 'hidden' | null;
}

/** One atomic change of one run. */
export interface Batch {
  readonly runId: string;
  /** Random; `RunHeader.token` shows it afterwards, so that a lost acknowledgement can be looked up. */
  readonly token: string;
  /** The head that the writer knows; for a new run 0, the base's seq, or the floor of a copy if that is higher. */
  readonly expect: number;
  /** An owner's; null for everybody else. */
  readonly fence: number | null;
  /** Creates the run. Refused when it is there, or when its base cannot be stood on. */
  readonly create: NewRun | null;
  /** Their seqs go on from `expect` without a gap. */
  readonly records: readonly StoredRecord[];
  /** What is left out stays as it is. A new run has all of it. */
  readonly header: Partial<HeaderState>;
  readonly snapshot: StoredSnapshot | null;
  /** The owner lets go of the run. */
  readonly release: boolean;
  readonly at: number;
  readonly copy?: CopyPart | undefined;
}

/**
 * Why a batch was refused; the first that holds of: `exists` and `base` for a batch that creates, `missing`, `fence` and
 * `head` for any other. `head`: somebody else wrote. `fence`: somebody else owns the run. `exists`, `missing`: the run is
 * there, or is not (a hidden run is both: it exists, and is missing for whoever would write to it; for a part of a copy
 * it is the other way round: missing is a run that is seen, or whose last records were dropped). `base`: the fork's base
 * is missing, hidden (but for a copy), below the floor or past the head, or is not the base run's own (at or below the
 * base that it has itself, or 0); for a journal run, also when no snapshot of that seq is there.
 */
export type Refusal = 'head' | 'fence' | 'exists' | 'missing' | 'base';

/** What became of a batch. A refusal says what was found: the run's header, hidden or not; undefined where there is none. */
export type BatchResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: Refusal; readonly found: RunHeader | undefined };

/** Which records of one run, also of a hidden one; conditions all hold together. Those of its base are not among them. */
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

/** Snapshots of one run, also of a hidden one, newest first; conditions all hold together. */
export interface SnapshotQuery {
  readonly runId: string;
  /** Only those that cover at most this seq. */
  readonly covers?: number | undefined;
  /** Only those before this one in the order: the next older ones. */
  readonly before?: SnapshotKey | undefined;
  readonly limit: number;
  readonly bodies: boolean;
}

/** Which run headers; conditions all hold together. Hidden runs are found only by `runId` or `hidden`. */
export interface RunsQuery {
  readonly runId?: string | undefined;
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
  /**
   * Told of every run whose header is corrupt; such runs are left out then, and the page is filled up with others.
   * Without it a query that meets one fails: none is left out in silence. A run may be told of with every page.
   */
  readonly onCorrupt?: ((error: HoldfastError) => void) | undefined;
}

/** Which code a worker has; without a version, any. */
export interface GraphName {
  readonly name: string;
  readonly version?: number | undefined;
}

/** A worker's request about leases. Time is the store's own. A worker whose lease has ended takes nothing. */
export type ClaimRequest =
  /** Takes due runs of these graphs that no living worker holds, the longest due first. */
  | { readonly type: 'due'; readonly worker: string; readonly graphs: readonly GraphName[]; readonly limit: number }
  /** Takes this run, whatever its wake time, if no living worker holds it, itself included. Journal runs cannot be taken. */
  | { readonly type: 'one'; readonly worker: string; readonly runId: string }
  /** The worker lives for this long from now. */
  | { readonly type: 'heartbeat'; readonly worker: string; readonly leaseMs: number }
  /** Lets go of these runs, or of all and of the worker's own row. */
  | { readonly type: 'release'; readonly worker: string; readonly runs?: readonly string[] | undefined };

/** What came of a claim: the runs taken, with their new fence. */
export interface ClaimResult {
  readonly claimed: readonly RunHeader[];
  /** Whether the worker's lease was valid when the request came. */
  readonly alive: boolean;
}

/**
 * A retention plan for one run; computed above, checked against the forks and carried out in one transaction.
 * Changes neither head nor updatedAt. `hide` raises the fence and lets go of the run, so that an owner is refused from
 * then on. A hidden run can be trimmed like any other.
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
 * What became of a plan; of the refusals, the first that holds. `forks`: a fork, hidden or not, stands on what would go
 * (below the floor, above `keepTo`, on a snapshot of a journal run that goes, or on a removed run). `floor`: there is no
 * snapshot at the floor, or it lies past the head, below the floor that the run has, or below its base.
 */
export type TrimResult =
  | { readonly ok: true; readonly records: number; readonly snapshots: number; readonly bytes: number }
  | { readonly ok: false; readonly why: 'missing' | 'forks' | 'floor' };

/** What a driver says of itself; the contract suite tests each both ways. */
export interface Capabilities {
  /** What was committed is there again when the same place is opened after a close or a crash. */
  readonly reopens: boolean;
  /** Several batches in one commit are cheaper than apart: the checked store gathers them. */
  readonly groups: boolean;
  /** Several open drivers of one place see each other's commits. */
  readonly shared: boolean;
  /** Keeps the very objects it is given, in this process: what is never read is then never encoded. Default false. */
  readonly keepsGiven?: boolean | undefined;
}

/** A backend: the eight methods that every store has. */
export interface StoreDriver {
  readonly capabilities: Capabilities;
  /**
   * At most one batch a run, in run order. Resolves when all that were not refused are durable; a driver that has nothing
   * to wait for may answer at once. See `storeFault` for failures.
   */
  commit(batches: readonly Batch[]): Awaitable<readonly BatchResult[]>;
  /** The records of a run that meet the query, in its order. A run that is not there has none. */
  records(query: RecordQuery): Promise<readonly StoredRecord[]>;
  /** The snapshots of a run that meet the query, greatest first. */
  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]>;
  /** The headers of the runs that meet the query, in its order. */
  runs(query: RunsQuery): Promise<readonly RunHeader[]>;
  /** Leases: takes, keeps and lets go of runs. */
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** Carries out a retention plan, or refuses it whole. */
  trim(plan: TrimPlan): Promise<TrimResult>;
  /** Hints that a run may have changed (undefined: any). Never relied on. Returns how to stop. */
  watch(listener: (runId: string | undefined) => void): () => void;
  /** Lets go of the place; nothing is asked of the driver afterwards. */
  close(): Promise<void>;
}
