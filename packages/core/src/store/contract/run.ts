/** The header of a run: what a store keeps besides its journal. */

/** A record of another run that a fork continues from. */
export interface ForkPoint {
  readonly runId: string;
  readonly seq: number;
}

/**
 * Graph runs are executed by Holdfast. Journal runs are written by the user's code and never claimed.
 *
 * @example
 * ```ts
 * const isOurs = (kind: RunKind): boolean => kind === 'graph';
 * ```
 */
export type RunKind = 'graph' | 'journal';

/** Every status of a run. */
export const runStatuses = ['pending', 'running', 'waiting', 'suspended', 'completed', 'failed', 'cancelled'] as const;

/**
 * The status of a run. `suspended`: no worker executes it until it is resumed or answered.
 *
 * @example
 * ```ts
 * const open: readonly RunStatus[] = ['pending', 'running', 'waiting'];
 * console.log(await engine.runs({ status: open }).toArray());
 * ```
 */
export type RunStatus = (typeof runStatuses)[number];

/** What a run can wait for. */
export const waitKinds = ['ask', 'sleep', 'receive', 'pause', 'child', 'effect'] as const;

/** What the header says about an open wait; the rest is in its `wait` record. */
export interface WaitHead {
  readonly id: string;
  readonly kind: (typeof waitKinds)[number];
  readonly name: string;
  readonly node: string;
  readonly since: number;
  readonly until?: number | undefined;
}

/** The part of a header that batches change. */
export interface HeaderState {
  readonly status: RunStatus;
  /** Super-steps completed. */
  readonly superstep: number;
  /** Nodes to run next. */
  readonly frontier: readonly string[];
  readonly waits: readonly WaitHead[];
  /** When a worker may claim the run, by the store's clock. Null: never (ended, waiting, suspended, or a journal run). */
  readonly wakeAt: number | null;
  readonly tags: Readonly<Record<string, string>>;
}

/** What is fixed when a run is created. */
export interface NewRun {
  readonly kind: RunKind;
  readonly graph: string;
  readonly version: number;
  readonly forkedAt: ForkPoint | null;
  readonly parentId: string | null;
  readonly createdAt: number;
  /** The worker that leases the run from its first record on, with fence 1. */
  readonly worker: string | null;
}

/** Why a worker released a run unchanged: it lacks the code or a key. Other workers may still claim it. */
export interface LeaseRefusal {
  readonly worker: string;
  readonly code: string;
  readonly message: string;
  readonly at: number;
}

/** Everything known about a run without reading its journal. */
export interface RunHeader extends NewRun, HeaderState {
  readonly runId: string;
  /** The seq of the last record. For a fork without records, the seq of its fork point. */
  readonly head: number;
  /** Records up to here have been trimmed; 0 when none have. */
  readonly floor: number;
  /** The `at` of the last batch. */
  readonly updatedAt: number;
  /** Grows with every claim. An owner's batch must contain it. */
  readonly fence: number;
  /** Grows with every `resolveDoubt` that finds its batch absent. Every batch must contain it. */
  readonly epoch: number;
  /** How often the run was claimed from a dead worker since the last commit by an owner: crashes. */
  readonly claims: number;
  /** Deleted, but kept for its forks; or a draft. */
  readonly hidden: boolean;
  /** An incomplete copy: see `CopyPart`. Absent on all others. */
  readonly draft?: true | undefined;
  /** Workers that refused the run at its current head. Almost always empty. */
  readonly refusals: readonly LeaseRefusal[];
}
