import type { Env } from '../env/env.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { parseCursor } from '../value/cursor.ts';
import { checkRunId } from '../value/id.ts';
import type { Checkpoint, CheckpointHead, NewCheckpoint } from './checkpoint.ts';
import { findCheckpoint, type ListOptions, listCheckpoints, loadCheckpoint } from './checkpoint-index.ts';
import { deleteRun } from './delete-run.ts';
import { type ForkOptions, forkCheckpoint } from './fork-checkpoint.ts';
import { type PrunePolicy, type PruneReport, pruneLoop } from './prune-loop.ts';
import type { RunWriter } from './run-writer.ts';
import { type SavedCheckpoint, saveCheckpoint } from './save-checkpoint.ts';

/** The checkpoints of agents that bring their own loop. */
export interface Checkpoints {
  /** Saves a checkpoint. Refuses one that covers more of the journal than there is, and one whose id is there with other content. */
  save(run: string, checkpoint: NewCheckpoint): Promise<SavedCheckpoint>;
  /** The greatest by what it covers, then by its place; a damaged one is passed over with a warning. */
  latest(run: string): Promise<Checkpoint | undefined>;
  /** By `run@seq`, or `run@alias` for an id that was chosen. */
  load(id: string): Promise<Checkpoint | undefined>;
  /** The newest with that step. */
  atStep(run: string, step: number): Promise<Checkpoint | undefined>;
  /** The greatest that covers at most that much. A cursor that does not parse is an error, never the beginning. */
  atOrBefore(cursor: string): Promise<Checkpoint | undefined>;
  /** Newest first, without their states. */
  list(run: string, options?: ListOptions): AsyncIterable<CheckpointHead>;
  /** A new run that begins with this checkpoint's state; resolves with its id. */
  fork(from: string, options?: ForkOptions): Promise<string>;
  /** Drops single checkpoints; the latest and what forks stand on always stay. */
  prune(run: string, policy: Omit<PrunePolicy, 'run'>): Promise<PruneReport>;
  /** The run and all that only it needs; false when there was none. What forks stand on stays. */
  delete(run: string): Promise<boolean>;
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
    save: (run, checkpoint) => saveCheckpoint({ store, env, writer, run, checkpoint }),
    latest: async (run) => findCheckpoint(context, checkRunId(run)),
    load: (id) => loadCheckpoint(context, id),
    atStep: async (run, step) => findCheckpoint(context, checkRunId(run), { accepts: (head) => head.step === step }),
    async atOrBefore(cursor) {
      const { run, seq } = parseCursor(cursor);
      return findCheckpoint(context, run, { covers: seq });
    },
    list: (run, options = {}) => listCheckpoints(context, run, options),
    fork: (from, options = {}) =>
      forkCheckpoint({ store, env, from, options, load: (id) => loadCheckpoint(context, id) }),
    prune: (run, policy) => pruneLoop({ store, env, run, policy }),
    delete: (run) => deleteRun(store, run),
  };
}
