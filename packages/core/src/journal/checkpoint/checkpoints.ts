import { type Listing, listing } from '../../async/listing.ts';
import type { Env } from '../../env/env.ts';
import type { Change } from '../../history/diff-states.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import { parseCursor } from '../../value/cursor.ts';
import { checkRunId } from '../../value/id.ts';
import { deleteRun } from '../delete-run.ts';
import type { PruneReport, RunPrunePolicy } from '../prune-policy.ts';
import type { RunWriter } from '../run-writer.ts';
import type { Checkpoint, CheckpointHead, NewCheckpoint } from './checkpoint.ts';
import { findCheckpoint, type ListOptions, listCheckpoints, listStates, loadCheckpoint } from './checkpoint-index.ts';
import { diffSaved } from './diff-saved.ts';
import type { ForkOptions } from './fork-checkpoint.ts';
import { RecentStates } from './recent-states.ts';
import { type SavedCheckpoint, saveCheckpoint } from './save-checkpoint.ts';

/**
 * The checkpoints of journal runs: for agents that you execute yourself.
 *
 * @example
 * ```ts
 * const { checkpoints } = engine;
 * await checkpoints.save('trip', { state: { stage: 'booked' } });
 * console.log((await checkpoints.latest('trip'))?.state);
 * ```
 */
export interface Checkpoints {
  /**
   * Saves a checkpoint; stores what changed. Refuses one that covers more than the journal has, and one whose id already
   * exists with different content, unless it may `replace` that.
   *
   * @throws HOLDFAST_COVERS_TOO_MUCH, HOLDFAST_ID_TAKEN, HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_OPTION, HOLDFAST_GRAPH_RUN
   */
  save(runId: string, checkpoint: NewCheckpoint): Promise<SavedCheckpoint>;
  /** The greatest by what it covers, then by its place; skips corrupt ones with a warning. */
  latest(runId: string): Promise<Checkpoint | undefined>;
  /** By `run@seq`, or by `run@alias` if it was saved with an id. */
  load(id: string): Promise<Checkpoint | undefined>;
  /** The newest of that super-step. */
  atSuperstep(runId: string, superstep: number): Promise<Checkpoint | undefined>;
  /** The greatest that covers at most that much. An invalid cursor is an error. */
  atOrBefore(cursor: string): Promise<Checkpoint | undefined>;
  /** The changes from one checkpoint to another, or between the last ones before two cursors: see `run.diff`. @throws HOLDFAST_NOT_FOUND */
  diff(from: string, to: string): Promise<readonly Change[]>;
  /** Newest first, with their states. */
  list(runId: string, options: ListOptions & { readonly states: true }): Listing<Checkpoint>;
  /** Newest first, without their states. */
  list(runId: string, options?: ListOptions): Listing<CheckpointHead>;
  /** Creates a run that begins with this checkpoint's state, whichever it is; resolves with its id. */
  fork(from: string, options?: ForkOptions): Promise<string>;
  /**
   * Drops single checkpoints; the latest and those that forks begin at always stay. With `records: true`, the records that
   * every remaining checkpoint covers go too.
   */
  prune(runId: string, policy: RunPrunePolicy): Promise<PruneReport>;
  /** Deletes the run and everything that only it needs. Records that forks need are kept. False if the run does not exist. */
  delete(runId: string): Promise<boolean>;
}

interface CheckpointsOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
  /** Retention belongs to the engine, which prunes graph runs the same way. */
  readonly prune: Checkpoints['prune'];
}

/** The checkpoints of a store. */
export function createCheckpoints({ store, env, writer, prune }: CheckpointsOptions): Checkpoints {
  const context = { store, env };
  const recent = new RecentStates();
  function list(runId: string, options: ListOptions & { readonly states: true }): Listing<Checkpoint>;
  function list(runId: string, options?: ListOptions): Listing<CheckpointHead>;
  function list(runId: string, options: ListOptions = {}): Listing<CheckpointHead> {
    return listing<CheckpointHead>(() =>
      options.states === true ? listStates(context, runId, options) : listCheckpoints(context, runId, options),
    );
  }
  return {
    save: (runId, checkpoint) => saveCheckpoint({ store, env, writer, recent }, runId, checkpoint),
    latest: async (runId) => findCheckpoint(context, checkRunId(runId)),
    load: (id) => loadCheckpoint(context, id),
    atSuperstep: async (runId, superstep) =>
      findCheckpoint(context, checkRunId(runId), { accepts: (head) => head.superstep === superstep }),
    async atOrBefore(cursor) {
      const { runId, seq } = parseCursor(cursor);
      return findCheckpoint(context, runId, { covers: seq });
    },
    diff: (from, to) => diffSaved(context, from, to),
    list,
    // Loaded on demand: few programs fork journal runs.
    async fork(from, options = {}) {
      const { forkCheckpoint } = await import('./fork-checkpoint.ts');
      return forkCheckpoint({ store, env, from, options });
    },
    prune,
    delete: (runId) => deleteRun(context, runId),
  };
}
