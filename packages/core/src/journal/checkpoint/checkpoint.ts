import type { Deltas } from '../../delta/delta.ts';
import type { RunStatus } from '../../store/contract/run.ts';

/**
 * The status of a run at a checkpoint; a journal run may define ends of its own.
 *
 * @example
 * ```ts
 * const isOver = (status: CheckpointStatus): boolean => status.startsWith('terminal:');
 * ```
 */
export type CheckpointStatus = RunStatus | `terminal:${string}`;

/**
 * What a checkpoint says besides its state.
 *
 * @example
 * ```ts
 * const metadata: Partial<CheckpointMetadata> = { reason: 'deploy', custom: { build: '81f2' } };
 * await engine.checkpoints.save('trip', { state: { stage: 'booked' }, metadata });
 * ```
 */
export interface CheckpointMetadata {
  /** The version of your own state format. Default 1. */
  readonly version: number;
  readonly inFlightTasks: number;
  readonly reason?: string;
  readonly writer?: string;
  readonly custom?: unknown;
}

/**
 * A run as it was at the end of a record.
 *
 * @example
 * ```ts
 * const { id, state, next }: Checkpoint = await engine.get('ord-81').checkpoint();
 * ```
 */
export interface Checkpoint<State = Readonly<Record<string, unknown>>, N = string> {
  /** `run@seq`, which is also a cursor, even if the checkpoint has an alias. */
  readonly id: string;
  readonly runId: string;
  /** The graph's name, or the name that a journal run gave. */
  readonly graph: string;
  /** The seq of its own record. */
  readonly seq: number;
  /** The last seq of the journal that it accounts for. */
  readonly covers: number;
  readonly superstep: number;
  readonly turn?: string;
  /** The checkpoint that it was saved on: its `base` if one was given, otherwise the one before it, across forks. */
  readonly parentId: string | null;
  readonly label: string;
  readonly next: readonly N[];
  readonly status: CheckpointStatus;
  readonly at: Date;
  readonly state: State;
  readonly metadata: CheckpointMetadata;
}

/**
 * The state of a new checkpoint: whole, or as a change of another checkpoint's. What is stored is what changed; the state is
 * compared by value with the last one, or with `base`.
 *
 * @example
 * ```ts
 * const whole: NewState = { state: { stage: 'booked' } };
 * const changed: NewState = { base: 'trip@3', change: { stage: ['=', 'paid'] } };
 * ```
 */
export type NewState =
  | {
      readonly state: Readonly<Record<string, unknown>>;
      /** The checkpoint of this run that the state was made from. Default: the latest. */
      readonly base?: string | undefined;
      readonly change?: undefined;
    }
  | {
      readonly base: string;
      /** One delta per channel that changed. */
      readonly change: Deltas;
      readonly state?: undefined;
    };

/**
 * A checkpoint to save in a journal run.
 *
 * @example
 * ```ts
 * const checkpoint: NewCheckpoint = { state: { stage: 'booked' }, id: 'draft', label: 'before paying' };
 * await engine.checkpoints.save('trip', checkpoint);
 * ```
 */
export type NewCheckpoint = NewState & {
  /** An alias for `load('run@alias')`. Saving the same content again under it gives the same checkpoint. */
  readonly id?: string | undefined;
  /** Different content under the same id is a new checkpoint, and the alias names it from now on. Default: it is refused. */
  readonly replace?: boolean | undefined;
  readonly graph?: string | undefined;
  /** Default: the run's last plus one. */
  readonly superstep?: number | undefined;
  /** Default: the whole journal so far. */
  readonly covers?: number | undefined;
  readonly next?: readonly string[] | undefined;
  readonly label?: string | undefined;
  /** Default `running`. */
  readonly status?: CheckpointStatus | undefined;
  readonly metadata?: Partial<CheckpointMetadata> | undefined;
} & JournalRunOptions;

/**
 * What a journal run is found by.
 *
 * @example
 * ```ts
 * await engine.checkpoints.save('trip', { state: { stage: 'new' }, tags: { user: 'ada' }, parentId: 'plan' });
 * ```
 */
export interface JournalRunOptions {
  /** The run's tags from now on. Default: those that it has. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** The run that this one belongs to. Only the write that creates the run can set it. */
  readonly parentId?: string | undefined;
}

/**
 * A checkpoint without its state.
 *
 * @example
 * ```ts
 * const heads: readonly CheckpointHead[] = await engine.checkpoints.list('trip').toArray();
 * ```
 */
export type CheckpointHead = Omit<Checkpoint, 'state'>;
