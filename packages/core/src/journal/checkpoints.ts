import type { Env } from '../env/env.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { parseCursor } from '../value/cursor.ts';
import { checkRunId } from '../value/id.ts';
import type { Checkpoint, CheckpointHead, NewCheckpoint } from './checkpoint.ts';
import { findCheckpoint, type ListOptions, listCheckpoints, loadCheckpoint } from './checkpoint-index.ts';
import { deleteRun } from './delete-run.ts';
import { type ForkOptions, forkCheckpoint } from './fork-checkpoint.ts';
import { type PrunePolicy, type PruneReport, pruneJournalRun } from './prune-journal-run.ts';
import type { RunWriter } from './run-writer.ts';
import { type SavedCheckpoint, saveCheckpoint } from './save-checkpoint.ts';

/** The checkpoints of agents that bring their own loop. */
export interface Checkpoints {
  /** Saves a checkpoint. Refuses one that covers more of the journal than there is, and one whose id is there with other content. */
  save(runId: string, checkpoint: NewCheckpoint): Promise<SavedCheckpoint>;
  /** The greatest by what it covers, then by its place; a corrupt one is passed over with a warning. */
  latest(runId: string): Promise<Checkpoint | undefined>;
  /** By `run@seq`, or `run@alias` for an id that was chosen. */
  load(id: string): Promise<Checkpoint | undefined>;
  /** The newest with that step. */
  atSuperstep(runId: string, superstep: number): Promise<Checkpoint | undefined>;
  /** The greatest that covers at most that much. A cursor that does not parse is an error, never the beginning. */
  atOrBefore(cursor: string): Promise<Checkpoint | undefined>;
  /** Newest first, without their states. */
  list(runId: string, options?: ListOptions): AsyncIterable<CheckpointHead>;
  /** A new run that begins with this checkpoint's state; resolves with its id. */
  fork(from: string, options?: ForkOptions): Promise<string>;
  /** Drops single checkpoints; the latest and what forks stand on always stay. */
  prune(runId: string, policy: Omit<PrunePolicy, 'runId'>): Promise<PruneReport>;
  /** The run and all that only it needs; false when there was none. What forks stand on stays. */
  delete(runId: string): Promise<boolean>;
}

interface CheckpointsOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
}

/** The checkpoints of a store. */
export function createCheckpoints({ store, env, writer }: CheckpointsOptions): Checkpoints {
  const context = { store, env };
  return {
    save: (runId, checkpoint) => saveCheckpoint({ store, env, writer, runId, checkpoint }),
    latest: async (runId) => findCheckpoint(context, checkRunId(runId)),
    load: (id) => loadCheckpoint(context, id),
    atSuperstep: async (runId, superstep) =>
      findCheckpoint(context, checkRunId(runId), { accepts: (head) => head.superstep === superstep }),
    async atOrBefore(cursor) {
      const { runId, seq } = parseCursor(cursor);
      return findCheckpoint(context, runId, { covers: seq });
    },
    list: (runId, options = {}) => listCheckpoints(context, runId, options),
    fork: (from, options = {}) =>
      forkCheckpoint({ store, env, from, options, load: (id) => loadCheckpoint(context, id) }),
    prune: (runId, policy) => pruneJournalRun({ store, env, runId, policy }),
    delete: (runId) => deleteRun(store, runId),
  };
}
