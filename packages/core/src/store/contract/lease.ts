/** Leases: who may execute a run. Every decision here uses the store's time. */
import type { StoredRun } from './read.ts';

/** A graph that a worker has. Without a version: any version. */
export interface GraphName {
  readonly name: string;
  readonly version?: number | undefined;
}

/**
 * A worker's request. `worker` identifies one opening of an engine and is never reused. A worker is live while its lease
 * lasts, unless the driver notices deaths (`Capabilities.noticesDeath`) and knows that it has died.
 */
export type ClaimRequest =
  /** Renews the worker's lease from now. So does every other request with `leaseMs`. */
  | { readonly type: 'heartbeat'; readonly worker: string; readonly leaseMs: number }
  /**
   * Leases due runs of these graphs that no live worker leases, the longest due first. Runs that this worker refused at
   * their current head are left out. Without `takeover`, so are runs that any worker leases, live or dead.
   */
  | {
      readonly type: 'due';
      readonly worker: string;
      readonly leaseMs: number;
      readonly graphs: readonly GraphName[];
      readonly limit: number;
      readonly takeover: boolean;
    }
  /**
   * Leases this run if no live worker does, this one included. `ifDue`: only if its wake time has come. `takeover: false`:
   * only if no worker leases it, live or dead.
   */
  | {
      readonly type: 'one';
      readonly worker: string;
      readonly leaseMs: number;
      readonly runId: string;
      readonly ifDue: boolean;
      readonly takeover?: boolean | undefined;
    }
  /**
   * Releases these runs (default: all, and ends the worker's lease). A `refusal` is stored with each run until its head
   * changes.
   */
  | {
      readonly type: 'release';
      readonly worker: string;
      readonly runIds?: readonly string[] | undefined;
      readonly refusal?: { readonly code: string; readonly message: string } | undefined;
    }
  /** Asks for a duty that only one worker performs. Granted if no worker was granted it within `everyMs`. */
  | { readonly type: 'duty'; readonly worker: string; readonly name: string; readonly everyMs: number }
  /** Asks whether a worker, of any engine, is alive. Granted if it is, with the end of its lease. Changes nothing. */
  | { readonly type: 'alive'; readonly worker: string };

/** A run that a claim has leased, as `load` returns it with `loadLimit` records. */
export interface LeasedRun extends StoredRun {
  /** The dead worker that leased the run before. Absent if no worker did, or if the driver does not tell. */
  readonly takenFrom?: TakenFrom | undefined;
}

/** A worker that lost a run by dying. `lease`: its lease had ended. `death`: it was known to be dead before that. */
export interface TakenFrom {
  readonly worker: string;
  readonly noticed: 'lease' | 'death';
}

/** The result of a request. */
export interface ClaimResult {
  /** The leased runs, with their new fences. */
  readonly claimed: readonly LeasedRun[];
  /** Runs that could not be leased because they are corrupt. */
  readonly corrupt: readonly Error[];
  /** For `duty`: whether it was granted. For `alive`: whether the worker is alive. */
  readonly granted: boolean;
  /** The store's time. */
  readonly now: number;
  /**
   * When to ask again, because the answer may be another. For `due`: when the next remaining run of these graphs can be
   * leased. With `takeover`, a run that another live worker leases counts from the end of that lease, as it stands now. For
   * `one` with `ifDue`: the same for this run, whatever `takeover` says. For `alive`: the end of the lease of a worker that
   * lives, as it stands now. Null if none is known.
   */
  readonly nextDueAt: number | null;
}

/** How many records a claimed run comes with. Read the rest with `records`. */
export const loadLimit = 256;
