import type { Listing } from '../async/listing.ts';
import type { In } from '../channel/standard-schema.ts';
import type { HoldfastError } from '../errors/holdfast-error.ts';
import type { AnswerIn, Asks, ShowOut } from '../graph/ask.ts';
import type { AnyShape, Shape, ShapeOf } from '../graph/shape.ts';
import type { Change } from '../history/diff-states.ts';
import type { Checkpoint } from '../journal/checkpoint/checkpoint.ts';
import type { RunKind, RunStatus } from '../store/contract/run.ts';
import type { Duration } from '../time/duration.ts';

/**
 * The final statuses of a run.
 *
 * @example
 * ```ts
 * const hasWorked = (status: EndStatus): boolean => status === 'completed';
 * ```
 */
export type EndStatus = 'completed' | 'failed' | 'cancelled';

/**
 * Something that a run waits for. `runId` is the waiting run: for a question of an inner graph, the child run.
 *
 * @example
 * ```ts
 * const outcome = await run.outcome();
 * const waits: readonly Wait[] = outcome.status === 'waiting' ? outcome.waits : [];
 * for (const wait of waits) if (wait.kind === 'ask') console.log(wait.name, wait.show);
 * ```
 */
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

/**
 * The outcome of a run, as far as it could go. 'suspended': no worker executes it until it is resumed or answered.
 *
 * @example
 * ```ts
 * const outcome = await run.outcome();
 * if (outcome.status === 'waiting') console.log(outcome.waits.map(({ kind }) => kind));
 * if (outcome.status === 'failed') console.error(outcome.error.message);
 * ```
 */
export type Outcome<S extends Shape = AnyShape> =
  | { readonly status: 'completed'; readonly state: S['state']; readonly output: S['output'] }
  | { readonly status: 'waiting'; readonly state: S['state']; readonly waits: readonly Wait<S['asks']>[] }
  | { readonly status: 'suspended'; readonly state: S['state'] }
  | { readonly status: 'failed'; readonly state: S['state']; readonly error: HoldfastError }
  | { readonly status: 'cancelled'; readonly state: S['state']; readonly reason: string | undefined };

/**
 * One execution of a node. In an `each`, `item` says which item, of how many.
 *
 * @example
 * ```ts
 * for await (const event of run.events()) if (event.type === 'node-end') console.log(event.node, event.attempt);
 * ```
 */
export interface TaskEvent<N> {
  readonly node: N;
  readonly task: string;
  /** From 1: the attempt of the node or, in the event of a step, of that step. */
  readonly attempt: number;
  readonly item?: { readonly index: number; readonly of: number };
}

/** A step of a task. `call` is 0 for the task's first step with that name, 1 for the second, and so on. */
export interface StepEvent<N> extends TaskEvent<N> {
  readonly step: string;
  readonly call: number;
}

/** A failed attempt of a node or a step, and when the next one is due. */
export interface FailedAttempt {
  readonly error: HoldfastError;
  readonly willRetry: boolean;
  /** Undefined if it was the last attempt. */
  readonly retryAt: Date | undefined;
}

/**
 * A value that a node's body or one of its steps emitted; `step` and `call` are undefined for the body. `execution` grows
 * each time that the same body or step starts again, after a failure, a wait or a crash: values with a lower number are
 * from an execution that did not finish. `attempt` is the one that a later 'step-error' or 'node-error' names.
 */
interface EmitEvent<N, D> extends TaskEvent<N> {
  readonly type: 'emit';
  readonly step: string | undefined;
  readonly call: number | undefined;
  readonly execution: number;
  readonly data: D;
}

/**
 * Something that happened in a run. `seq` is the record's; one record can produce several events. `cursor` identifies the
 * event: pass it as `after` or Last-Event-ID. 'node-start' and 'step-start' are live only and have the cursor of the
 * previous event. `runId` is the run, or one of its child runs if you asked for those.
 *
 * @example
 * ```ts
 * const show = (event: RunEvent): void => {
 *   if (event.type === 'emit') console.log(event.data);
 *   if (event.type === 'step-error') console.warn(event.step, event.error.message, event.retryAt);
 * };
 * ```
 */
export type RunEvent<S extends Shape = AnyShape> = {
  readonly cursor: string;
  readonly runId: string;
  readonly seq: number;
  readonly at: Date;
  /** How many live events before this one were dropped, because the reader was too slow. */
  readonly lost?: number;
} & (
  | { readonly type: 'turn'; readonly turn: string | undefined }
  | (TaskEvent<S['nodes']> & { readonly type: 'node-start' | 'node-end'; readonly replayed: boolean })
  | (TaskEvent<S['nodes']> & FailedAttempt & { readonly type: 'node-error' })
  | (StepEvent<S['nodes']> & { readonly type: 'step-start' | 'step-end'; readonly replayed: boolean })
  | (StepEvent<S['nodes']> & FailedAttempt & { readonly type: 'step-error' })
  | EmitEvent<S['nodes'], S['emits']>
  | (TaskEvent<S['nodes']> & { readonly type: 'log'; readonly message: string; readonly data: unknown })
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

/**
 * Options of `start` and `submit`.
 *
 * @example
 * ```ts
 * const options = { id: 'ord-81', tags: { region: 'eu' }, timeout: '2d' } satisfies RunOptions;
 * await engine.start(refunds, { order: 'ord-81', cents: 500 }, options);
 * ```
 */
export interface RunOptions<N extends string = string> {
  readonly id?: string | undefined;
  /** Makes the input a turn of the run `id`: see `start`. `true` is a new turn each time, so that a repeat is another turn. */
  readonly turn?: string | true | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** The limit per turn, counted across restarts and resumes. */
  readonly maxSupersteps?: number | undefined;
  /**
   * The run fails with HOLDFAST_TIMEOUT unless it has ended this long after its start, whatever it waits for, and so do the
   * children that it has by then. A deadline is in the journal: it holds when every process is down. A turn is given the time
   * again when it begins, and a `resume` when it is called.
   *
   * @example
   * ```ts
   * await engine.start(refunds, input, { timeout: '2d' }).result();
   * ```
   */
  readonly timeout?: Duration | undefined;
  readonly pauseBefore?: readonly N[] | undefined;
  readonly pauseAfter?: readonly N[] | undefined;
}

/**
 * Options of what can be written within a transaction of your own.
 *
 * @example
 * ```ts
 * await client.query('BEGIN');
 * await engine.submit(refunds, { order: 'ord-81', cents: 500 }, { id: 'ord-81', within: client });
 * await client.query('COMMIT');
 * ```
 */
export interface WithinOptions {
  /**
   * The client of a transaction that you have open in the database of the store: a `pg` client, or the database that
   * `sqliteStore` was given. What is written is there if and only if you commit. Await the call before you use the client
   * again, and commit soon: until then, nobody else can write to the run.
   *
   * @example
   * ```ts
   * await client.query('BEGIN');
   * await client.query('INSERT INTO orders (id) VALUES ($1)', [id]);
   * await engine.submit(fulfil, { id }, { id: `fulfil-${id}`, within: client });
   * await client.query('COMMIT');
   * ```
   */
  readonly within?: object | undefined;
}

/**
 * Options of `submit`.
 *
 * @example
 * ```ts
 * await engine.submit(refunds, { order: 'ord-81', cents: 500 }, { id: 'ord-81', tags: { region: 'eu' } });
 * ```
 */
export interface SubmitOptions<N extends string = string> extends RunOptions<N>, WithinOptions {}

/**
 * Options of `run.answer` and `run.send`.
 *
 * @example
 * ```ts
 * await run.send('paid', { reference: 'r-1' }, { id: 'webhook-7' }); // a repeated id is the same message
 * ```
 */
export interface AnswerRunOptions extends CommandOptions, WithinOptions {
  /** Of an answer: the question. Of a message: what makes a repeat the same message. */
  readonly id?: string | undefined;
}

/**
 * The signal stops the waiting, not the run.
 *
 * @example
 * ```ts
 * const outcome = await run.outcome({ signal: AbortSignal.timeout(10_000) }); // ends the waiting, not the run
 * ```
 */
export interface WaitingOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options of the commands that a person may give.
 *
 * @example
 * ```ts
 * await run.cancel('sold out', { by: 'ada' });
 * ```
 */
export interface CommandOptions {
  /** Who gives the command. It stands in the command's record. */
  readonly by?: string | undefined;
}

/**
 * Which events to read, and until when.
 *
 * @example
 * ```ts
 * for await (const event of run.events({ after: '12.0', children: true, until: 'idle' })) console.log(event.type);
 * ```
 */
export interface EventsOptions extends WaitingOptions {
  /**
   * Only later events: after an event's cursor, or after the seq of a record. Events that were pruned are left out: the first one is
   * then the oldest that is kept.
   */
  readonly after?: string | number | undefined;
  /**
   * Also the events of child runs, and of theirs, each with its `runId`. A child's events come after the 'wait' that tells of it
   * and, once it has ended, before the 'wait-end'. A cursor then says how far each open child was read: `12.0;child-1@5.1`. It
   * resumes all of them without gap or duplicate. Default: false.
   */
  readonly children?: boolean | undefined;
  /** 'idle': also ends where `outcome` would resolve. */
  readonly until?: 'end' | 'idle' | undefined;
}

/**
 * Which checkpoints of a run to list.
 *
 * @example
 * ```ts
 * const page = await run.history({ limit: 50, before: 'ord-81@90' }).toArray();
 * ```
 */
export interface HistoryOptions {
  readonly limit?: number | undefined;
  /** A checkpoint id: only checkpoints before it. */
  readonly before?: string | undefined;
}

/**
 * Which part of a diff to return. Default: all of it.
 *
 * @example
 * ```ts
 * const firstHundred = await engine.diff('ord-81', 'what-if', { limit: 100 });
 * ```
 */
export interface DiffOptions {
  /** How many changes to skip: those of the previous pages. */
  readonly after?: number | undefined;
  /** The maximum number of changes. A page with fewer is the last one. */
  readonly limit?: number | undefined;
}

/**
 * What happened to an effect.
 *
 * @example
 * ```ts
 * const happened: EffectOutcome = { result: { receipt: 'r-1' } }; // or { error: 'declined' }, or 'retry'
 * await run.settle('key-of-the-effect', happened, { by: 'ada' });
 * ```
 */
export type EffectOutcome = { readonly result: unknown } | { readonly error: string } | 'retry';

/**
 * A run in a list. `parentId` is the run that started it, `forkedAt` the checkpoint it was forked from.
 *
 * @example
 * ```ts
 * const { status, waits, wakeAt } = await run.summary();
 * ```
 */
export interface RunSummary {
  readonly id: string;
  /** Journal runs are written by your own code: `engine.journal` and `engine.checkpoints` read them. */
  readonly kind: RunKind;
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
  readonly waits: readonly WaitSummary[];
  /** When a worker may continue the run: a time in the past if it was started or answered. Null if nothing is to be done. */
  readonly wakeAt: Date | null;
  /** The worker that executes the run. Null if none does. */
  readonly worker: string | null;
  /** The workers that could not continue the run, and why. Other workers still may. */
  readonly refusals: readonly RunRefusal[];
}

/**
 * The lease of a run: the worker that executes it, and whether that worker still lives.
 *
 * @example
 * ```ts
 * const lease = await run.lease();
 * if (lease !== null) console.log(`${lease.worker} executes it until ${lease.until?.toISOString()}`);
 * ```
 */
export interface RunLeaseInfo {
  readonly worker: string;
  /** Grows with every claim. Writes with a smaller one are refused. */
  readonly fence: number;
  /** Undefined if the worker has died: the run is taken over by the next worker that looks. Otherwise when its lease ends, unless it renews it. */
  readonly until: Date | undefined;
  /** How often the run was taken over from a worker that died, since the last commit of the one that executed it. */
  readonly takeovers: number;
}

/**
 * What a run in a list waits for: the name of the question, message, sleep, effect, child or paused node.
 *
 * @example
 * ```ts
 * const { waits } = await run.summary();
 * const isAsking = waits.some(({ kind, name }) => kind === 'ask' && name === 'approval');
 * ```
 */
export interface WaitSummary {
  readonly kind: Wait['kind'];
  readonly name: string;
}

/**
 * Why a worker could not continue a run: it lacks the version, a part of the graph or a key, or the run is corrupt.
 *
 * @example
 * ```ts
 * const { refusals } = await run.summary();
 * for (const { worker, message } of refusals) console.log(worker, message);
 * ```
 */
export interface RunRefusal {
  readonly worker: string;
  readonly code: string;
  readonly message: string;
  readonly at: Date;
}

/**
 * A run. After `answer`, `send`, `settle` and `resume` it continues here, if this engine executes runs and has the code,
 * or in a worker. Once their promise has resolved, `outcome` no longer reports the wait that they ended. Reads (`outcome`,
 * `result`, `events`, `state` …) never start work.
 *
 * @example
 * ```ts
 * const run = await engine.start(refunds, { order: 'ord-81' }, { id: 'ord-81' });
 * const outcome = await run.outcome();
 * if (outcome.status === 'waiting') await run.answer('approval', true, { by: 'ada' });
 * console.log(await run.result());
 * ```
 */
export interface Run<S extends Shape = AnyShape> {
  readonly id: string;
  /** The position of this start or turn: `events({ after: run.cursor })` returns everything since. */
  readonly cursor: string;
  /**
   * Resolves when the run has ended or needs input (an answer, a message, `resume`). Waits through sleeps and backoffs. It
   * only waits: to continue a run whose process died, call `recover`, `work` or `resume`.
   */
  outcome(options?: WaitingOptions): Promise<Outcome<S>>;
  /**
   * Waits until the run has completed and resolves with its output (for a graph, its state). Rejects if it failed, was
   * cancelled or is suspended. @throws HOLDFAST_CANCELLED, HOLDFAST_SUSPENDED
   */
  result(options?: WaitingOptions): Promise<S['output']>;
  /**
   * Streams what this turn emits, in order, until the run ends or needs input: tokens for a chat, progress for a page.
   * After a failed attempt the values of the next one follow; `events` tells them apart.
   */
  emits(options?: WaitingOptions): AsyncIterable<S['emits']>;
  /**
   * Streams events until the run ends. With `until: 'idle'` it also ends where `outcome` would resolve, as an HTTP response needs.
   *
   * @example
   * ```ts
   * for await (const event of run.events({ children: true, after: lastEventId })) {
   *   if (event.type === 'emit') console.log(event.runId, event.data);
   * }
   * ```
   */
  events(options: EventsOptions & { readonly children: true }): AsyncIterable<RunEvent>;
  /** Streams events of this run alone, with its types. */
  events(options?: EventsOptions): AsyncIterable<RunEvent<S>>;
  /**
   * Validates and journals an answer. Without `id`, it answers the only open question with that name, or the first one to
   * be asked if there was none yet; if several are open, it is refused. `node/question` answers a question of an inner graph.
   * A question that a migration renames can be answered by both names. Repeating the same answer is fine. A different answer
   * is refused, and the error says who answered; so is an answer to a question that timed out or was withdrawn. A suspended
   * run continues. Whoever executes the run validates an answer that is given without its code, or with an older version.
   *
   * @throws HOLDFAST_ALREADY_ANSWERED, HOLDFAST_AMBIGUOUS, HOLDFAST_INVALID_VALUE, HOLDFAST_QUESTION_CLOSED, HOLDFAST_UNKNOWN_QUESTION
   */
  answer<K extends keyof S['asks'] & string>(
    name: K,
    answer: AnswerIn<S['asks'][K]>,
    options?: AnswerRunOptions,
  ): Promise<void>;
  /** Validates and journals a message. A repeated `id` is the same message, also after it was pruned (see `PrunePolicy.ids`). A suspended run stays suspended. */
  send<K extends keyof S['receives'] & string>(
    name: K,
    value: In<S['receives'][K]>,
    options?: AnswerRunOptions,
  ): Promise<void>;
  /** Settles a 'once' effect whose outcome is unknown. A suspended run stays suspended. */
  settle(key: string, outcome: EffectOutcome, options?: CommandOptions): Promise<void>;
  /** Reads the run's header, not its journal. */
  summary(): Promise<RunSummary>;
  /** Which worker executes the run, and whether it lives. Null if none does. */
  lease(): Promise<RunLeaseInfo | null>;
  /** Lists the checkpoints of the run, newest first. Loads only those you iterate over. */
  history(options?: HistoryOptions): Listing<Checkpoint<S['state'], S['nodes']>>;
  /** The current state, or the state after the last super-step up to a checkpoint. @throws HOLDFAST_NOT_FOUND */
  state(at?: string): Promise<S['state']>;
  /** The same with everything else that is known of the run at that point: its next nodes, status, turn, label. */
  checkpoint(at?: string): Promise<Checkpoint<S['state'], S['nodes']>>;
  /**
   * The changes from the state at one checkpoint to the state at another, of any run: by JSON pointer, in an order in which
   * they can be applied. Use `limit` and `after` for pages. @throws HOLDFAST_NOT_FOUND
   */
  diff(from: string, to: string, options?: DiffOptions): Promise<readonly Change[]>;
  /**
   * Creates a run that shares this run's history up to `at` (default: the head), or up to the last checkpoint `before` a
   * node ran. `set` replaces the values of channels, without their reducers. The fork is suspended until `resume` or
   * `answer`; with `resume: true` it continues at once.
   */
  fork(
    options?: Omit<RunOptions<S['nodes']>, 'turn'> &
      CommandOptions & {
        readonly at?: string | undefined;
        readonly before?: S['nodes'] | undefined;
        readonly set?: { readonly [K in keyof S['state']]?: S['state'][K] };
        readonly next?: readonly S['nodes'][] | undefined;
        readonly label?: string | undefined;
        readonly resume?: boolean | undefined;
      },
  ): StartedRun<S>;
  /**
   * Continues a suspended, failed, paused or interrupted run from its head. With `accept: 'diverged'`, changed code goes on
   * even if it no longer asks for what the run has recorded in its open super-step (HOLDFAST_DIVERGED): effects may be
   * repeated under new names.
   */
  resume(
    options?: CommandOptions & {
      readonly maxSupersteps?: number | undefined;
      readonly accept?: 'diverged' | undefined;
    },
  ): StartedRun<S>;
  /** Cancels the run and its child runs. Running steps are aborted, and no user code runs afterwards. */
  cancel(reason?: string, options?: CommandOptions): Promise<void>;
}

/**
 * A promise of a run that also has the methods of the run, so that one `await` is enough:
 * `await engine.start(graph, input).result()`. Its `id` is known at once.
 *
 * @example
 * ```ts
 * const started = engine.start(refunds, { order: 'ord-81', cents: 500 });
 * console.log(started.id); // known at once
 * console.log(await started.result());
 * ```
 */
export interface StartedRun<S extends Shape = AnyShape> extends Promise<Run<S>>, Omit<Run<S>, 'cursor'> {}

/**
 * The runs of a graph: `RunOf<typeof refunds>`.
 *
 * @example
 * ```ts
 * const approve = (run: RunOf<typeof refunds>): Promise<void> => run.answer('approval', true, { by: 'ada' });
 * ```
 */
export type RunOf<G> = Run<ShapeOf<G>>;
