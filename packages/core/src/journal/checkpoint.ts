import type { RunStatus } from '../store/contract/run.ts';

/** Where a checkpoint's run stands; a journal run may name an end of its own. */
export type CheckpointStatus = RunStatus | `terminal:${string}`;

/** What is known of a checkpoint besides its state. */
export interface CheckpointMetadata {
  /** The version of the saver's own format. Default 1. */
  readonly version: number;
  readonly inFlightTasks: number;
  readonly reason?: string;
  readonly writer?: string;
  readonly custom?: unknown;
}

/** A run as it was at the end of a record. */
export interface Checkpoint<State = Readonly<Record<string, unknown>>, N = string> {
  /** `run@seq`: also a cursor, whatever alias it was saved under. */
  readonly id: string;
  readonly runId: string;
  /** The graph's name, or what a user's own loop saved. */
  readonly workflow: string;
  /** Its own record. */
  readonly seq: number;
  /** How much of the journal it accounts for. */
  readonly covers: number;
  readonly superstep: number;
  readonly turn?: string;
  /** The checkpoint before it, across forks. */
  readonly parentId: string | null;
  readonly label: string;
  readonly next: readonly N[];
  readonly status: CheckpointStatus;
  readonly at: Date;
  readonly state: State;
  readonly metadata: CheckpointMetadata;
}

/** A checkpoint that a user's own loop saves. */
export interface NewCheckpoint {
  readonly state: Readonly<Record<string, unknown>>;
  /** An alias for `load('run@alias')`. Saving the same again under it is the same checkpoint. */
  readonly id?: string | undefined;
  readonly workflow?: string | undefined;
  /** Default: one more than the run's last. */
  readonly superstep?: number | undefined;
  /** Default: all of the journal so far. */
  readonly covers?: number | undefined;
  readonly next?: readonly string[] | undefined;
  readonly label?: string | undefined;
  /** Default `running`. */
  readonly status?: CheckpointStatus | undefined;
  readonly metadata?: Partial<CheckpointMetadata> | undefined;
}

/** A checkpoint without what only loading its state shows. */
export type CheckpointHead = Omit<Checkpoint, 'state'>;
