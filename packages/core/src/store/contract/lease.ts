/** Leases: who may execute a run. Every time that decides something here is the store's own. */
import type { StoredRun } from './read.ts';

/** Which code a worker has; without a version, any. */
export interface GraphName {
  readonly name: string;
  readonly version?: number | undefined;
}

/** A worker's request. `worker` is unique to one opening of an engine: nobody else ever uses it. */
export type ClaimRequest =
  /** Keeps the worker alive for this long from now. Every other request that names `leaseMs` does so too. */
  | { readonly type: 'heartbeat'; readonly worker: string; readonly leaseMs: number }
  /**
   * Leases due runs of these graphs that no living worker leases, the longest due first. Runs that this worker refused at
   * their present head are left out; without `takeover`, also those that any worker leases, alive or not.
   */
  | {
      readonly type: 'due';
      readonly worker: string;
      readonly leaseMs: number;
      readonly graphs: readonly GraphName[];
      readonly limit: number;
      readonly takeover: boolean;
    }
  /** Leases this run if no living worker does, this one included. `ifDue`: only if its wake time has come. */
  | {
      readonly type: 'one';
      readonly worker: string;
      readonly leaseMs: number;
      readonly runId: string;
      readonly ifDue: boolean;
    }
  /**
   * Releases these runs, or all of them and the worker itself, and sets their `claims` to 0: they were given back, not
   * crashed. With a `refusal` the reason is kept beside each run while its head stays where it is.
   */
  | {
      readonly type: 'release';
      readonly worker: string;
      readonly runIds?: readonly string[] | undefined;
      readonly refusal?: { readonly code: string; readonly message: string } | undefined;
    }
  /** Asks for a duty that one worker of the fleet does: granted if nobody was granted it within `everyMs`. */
  | { readonly type: 'duty'; readonly worker: string; readonly name: string; readonly everyMs: number }
  /** Asks whether this worker, anybody's, is alive: granted if it is. Changes nothing. */
  | { readonly type: 'alive'; readonly worker: string };

/** What came of a request. */
export interface ClaimResult {
  /** The runs leased now, each as `load` gives it with `loadLimit` records, with its new fence. */
  readonly claimed: readonly StoredRun[];
  /** Runs that could not be leased because they are corrupt. */
  readonly corrupt: readonly Error[];
  /** For a duty: whether it is this worker's now. For `alive`: whether the worker is. */
  readonly granted: boolean;
  /** The store's time. */
  readonly now: number;
  /** For `due`: when the next run of these graphs is due that this request left behind; null: none is known. */
  readonly nextDueAt: number | null;
}

/** How many records a claimed run comes with; the rest are read as `records`. */
export const loadLimit = 256;
