import type { Entry } from '../../src/record/record.ts';

/** What the harness knows of a run from the commits that it has seen go through. */
export interface RunTruth {
  head: number;
  superstep: number;
  frontier: readonly string[];
  /** Tasks of the open step that are journalled. */
  readonly done: Set<string>;
  /** Keys of calls whose result is journalled. */
  readonly results: Set<string>;
  /** Who holds it, and by which claim. */
  worker: string | null;
  fence: number;
  /** Whether whoever holds it has heard of that claim. */
  isTold: boolean;
  /** Processes that have died while they executed it, since its owner last wrote. */
  deaths: number;
  hasEnded: boolean;
  /** Whether somebody has cancelled it, and whether whoever holds it could know when it was given the run. */
  cancelled: 'no' | 'since' | 'before';
  /** Of its graph, by its journal. */
  version: number;
  /** What forks of it share. */
  readonly entries: Entry[];
  /** It was read again, and records may be missing. */
  isPruned: boolean;
  /** Inputs that wait for their turn. */
  turns: number;
  /** Which tries of steps have begun, by which claim: another one may begin a try again, but not the same. */
  readonly tried: Set<string>;
  /** How often the body of each task has begun, by one claim, since the last record. */
  readonly begun: Map<string, { readonly at: string; readonly times: number }>;
}

/** A run of which nothing is known yet. */
export function newTruth(): RunTruth {
  return {
    head: 0,
    superstep: 0,
    frontier: [],
    done: new Set(),
    results: new Set(),
    worker: null,
    fence: 0,
    isTold: false,
    deaths: 0,
    hasEnded: false,
    cancelled: 'no',
    version: 1,
    entries: [],
    isPruned: false,
    turns: 0,
    tried: new Set(),
    begun: new Map(),
  };
}
