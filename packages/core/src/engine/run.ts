import type { In, Writable } from '../channel/schema.ts';
import type { HoldfastError } from '../errors/holdfast-error.ts';
import type { AnswerIn, Asks, ShowOut } from '../graph/ask.ts';
import type { AnyShape, Shape } from '../graph/shape.ts';
import type { Change } from '../history/diff-states.ts';
import type { Checkpoint } from '../journal/checkpoint.ts';
import type { RunStatus } from '../store/contract/run.ts';

/** How a run can end. */
export type EndStatus = 'completed' | 'failed' | 'cancelled';

/** Something that a run waits for. `run` is the one that waits: an inner graph's question carries the inner run. */
export type Wait<A = Asks> = {
  readonly id: string;
  readonly runId: string;
  readonly node: string;
  readonly task: string;
  readonly since: Date;
  readonly until?: Date;
} & (
  | {
      [K in keyof A & string]: { readonly kind: 'ask'; readonly name: K; readonly show: ShowOut<A[K]> };
    }[keyof A & string]
  | { readonly kind: 'sleep' | 'receive'; readonly name: string }
  | { readonly kind: 'pause'; readonly when: 'before' | 'after' }
  | { readonly kind: 'child'; readonly name: string; readonly childId: string }
  | { readonly kind: 'effect'; readonly name: string; readonly key: string }
);

/** What a run came to, as far as it could go. 'suspended': nobody executes it until it is resumed or answered. */
export type Outcome<S extends Shape = AnyShape> =
  | { readonly status: 'completed'; readonly state: S['state']; readonly output: S['output'] }
  | { readonly status: 'waiting'; readonly state: S['state']; readonly waits: readonly Wait<S['asks']>[] }
  | { readonly status: 'suspended'; readonly state: S['state'] }
  | { readonly status: 'failed'; readonly state: S['state']; readonly error: HoldfastError }
  | { readonly status: 'cancelled'; readonly state: S['state']; readonly reason: string | undefined };

/** One node execution; in `each`, `item` is which of how many. */
export interface TaskEvent<N> {
  readonly node: N;
  readonly task: string;
  readonly attempt: number;
  readonly item?: { readonly index: number; readonly of: number };
}

/**
 * Something that happened in a run. `seq` is its record's, and one record can give several events; `cursor` is the
 * event's own: what `after` and Last-Event-ID take. 'node-start' and 'step-start' come live only, with the cursor of the
 * event before them.
 */
export type RunEvent<S extends Shape = AnyShape> = {
  readonly cursor: string;
  readonly seq: number;
  readonly at: Date;
  /** So many live events before this one were lost, because the reader was too slow for them. */
  readonly lost?: number;
} & (
  | { readonly type: 'turn'; readonly turn: string | undefined }
  | (TaskEvent<S['nodes']> & { readonly type: 'node-start' | 'node-end'; readonly replayed: boolean })
  | (TaskEvent<S['nodes']> & {
      readonly type: 'node-error';
      readonly error: HoldfastError;
      readonly willRetry: boolean;
    })
  | (TaskEvent<S['nodes']> & {
      readonly type: 'step-start' | 'step-end';
      readonly step: string;
      readonly replayed: boolean;
    })
  | (TaskEvent<S['nodes']> & { readonly type: 'emit'; readonly step: string | undefined; readonly data: S['emits'] })
  | {
      readonly type: 'checkpoint';
      readonly checkpoint: string;
      readonly superstep: number;
      readonly changed: readonly (keyof S['state'])[];
    }
  | { readonly type: 'wait'; readonly wait: Wait<S['asks']> }
  | {
      readonly type: 'wait-end';
      readonly wait: string;
      readonly how: 'done' | 'timeout' | 'cancelled';
      readonly by: string | undefined;
    }
  | { readonly type: 'refused'; readonly wait: string; readonly error: HoldfastError }
  | { readonly type: 'run-end'; readonly status: EndStatus }
);

/** What a run may be told when it is started. */
export interface RunOptions<N extends string = string> {
  readonly id?: string | undefined;
  /** Names this input as a turn of the run `id`: see `start`. */
  readonly turn?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** A turn's, counted over restarts and resumes. */
  readonly maxSupersteps?: number | undefined;
  readonly pauseBefore?: readonly N[] | undefined;
  readonly pauseAfter?: readonly N[] | undefined;
}

/** Stops waiting; the run goes on. */
export interface WaitingOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Which events, and until when. */
export interface EventsOptions extends WaitingOptions {
  /** Only what followed: an event's cursor, or the seq of a record. */
  readonly after?: string | number | undefined;
  /** 'idle': ends also where `outcome` would resolve. */
  readonly until?: 'end' | 'idle' | undefined;
}

/** Which checkpoints of a run. */
export interface HistoryOptions {
  readonly limit?: number | undefined;
  /** The id of a checkpoint: only those before it. */
  readonly before?: string | undefined;
}

/** Which part of a diff; default: all of it. */
export interface DiffOptions {
  /** How many of the first changes to leave out: those of the pages before. */
  readonly after?: number | undefined;
  /** How many changes to give at most. A page that has fewer is the last one. */
  readonly limit?: number | undefined;
}

/** What became of an effect. */
export type EffectOutcome = { readonly result: unknown } | { readonly error: string } | 'retry';

/** `parent`: the run that this one is a child of. `base`: the checkpoint that it was forked from. */
export interface RunSummary {
  readonly id: string;
  readonly graph: string;
  readonly version: number;
  readonly status: RunStatus;
  readonly superstep: number;
  readonly head: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly tags: Readonly<Record<string, string>>;
  readonly parentId: string | null;
  readonly forkedAt: string | null;
  readonly waits: readonly string[];
  /** Workers that could not continue the run as it is, and why; others may still do so. */
  readonly refusals: readonly RunRefusal[];
}

/** Why a worker could not continue a run: it lacks its version, a part of its graph or a key, or the run is corrupt. */
export interface RunRefusal {
  readonly worker: string;
  readonly code: string;
  readonly message: string;
  readonly at: Date;
}

/**
 * A run. What comes after `answer`, `send`, `settle` and `resume` goes on here, if this engine executes and knows the
 * code, or in a worker. Once their promise has resolved, `outcome` never tells of the wait that they ended. Reads
 * (`outcome`, `result`, `events`, `state` …) never start work.
 */
export interface Run<S extends Shape = AnyShape> {
  readonly id: string;
  /** Where this start or turn began: `events({ after: run.cursor })` is all that followed. */
  readonly cursor: string;
  /**
   * Resolves when the run has ended, or can only go on by someone else's doing (an answer, a message, resume). Sleeps and
   * backoffs are waited through. Only waits: a run that a process left behind needs `recover`, `work` or `resume`.
   */
  outcome(options?: WaitingOptions): Promise<Outcome<S>>;
  /**
   * Resolves with the output (a graph's is its state) when the run has completed, through every wait; rejects when it
   * failed, was cancelled or is suspended. @throws HOLDFAST_CANCELLED, HOLDFAST_SUSPENDED
   */
  result(options?: WaitingOptions): Promise<S['output']>;
  /** Ends with the run, or with `until: 'idle'` also where `outcome` would resolve: what an HTTP response wants. */
  events(options?: EventsOptions): AsyncIterable<RunEvent<S>>;
  /**
   * Validates and journals the answer. Without `id` it is for the one open question of that name (several: refused), or
   * for the first if none has been asked yet. The same answer again is fine; another one is refused and told which won.
   * A suspended run continues.
   */
  answer<K extends keyof S['asks'] & string>(
    name: K,
    answer: AnswerIn<S['asks'][K]>,
    options?: { readonly id?: string | undefined; readonly by?: string | undefined },
  ): Promise<void>;
  /** Validates and journals a message. The same `id` again is the same message. A suspended run stays suspended. */
  send<K extends keyof S['receives'] & string>(
    name: K,
    value: In<S['receives'][K]>,
    options?: { readonly id?: string | undefined },
  ): Promise<void>;
  /** Settles a 'once' effect of unknown outcome. A suspended run stays suspended. */
  settle(key: string, outcome: EffectOutcome): Promise<void>;
  /** What the run's header says of it: no journal is read. */
  summary(): Promise<RunSummary>;
  /** The checkpoints of the run, newest first, without loading the others. */
  history(options?: HistoryOptions): AsyncIterable<Checkpoint<S['state'], S['nodes']>>;
  /** The run as it is, or as it was at the end of the last step up to a checkpoint. @throws HOLDFAST_NOT_FOUND */
  state(at?: string): Promise<Checkpoint<S['state'], S['nodes']>>;
  /**
   * What turns the state at one checkpoint into that at another, also of another run: changes by JSON pointer, in an order
   * in which they can be applied. `limit` and `after` give it in pages. @throws HOLDFAST_NOT_FOUND
   */
  diff(from: string, to: string, options?: DiffOptions): Promise<readonly Change[]>;
  /**
   * A new run that shares everything up to `at` (default: the head). `set` gives values, not updates: validated, unknown
   * channels refused. It is suspended until `resume` or `answer`; with `resume: true` it continues at once.
   */
  fork(
    options?: Omit<RunOptions<S['nodes']>, 'turn'> & {
      readonly at?: string | undefined;
      readonly set?: { readonly [K in keyof S['state']]?: Writable<S['state'][K]> };
      readonly next?: readonly S['nodes'][] | undefined;
      readonly label?: string | undefined;
      readonly resume?: boolean | undefined;
    },
  ): Promise<Run<S>>;
  /** Continues a suspended, failed, paused or interrupted run, from its head. */
  resume(options?: { readonly maxSupersteps?: number | undefined }): Promise<Run<S>>;
  /** Ends the run and its children: running steps are aborted, no user code runs afterwards. */
  cancel(reason?: string): Promise<void>;
}
