import type { Listing } from '../async/listing.ts';
import type { Log, Observer } from '../env/observe/observer.ts';
import type { AnyGraph, AnyShape, Graph, Shape, Uncompiled, UncompiledShape } from '../graph/shape.ts';
import type { Change } from '../history/diff-states.ts';
import type { Checkpoints } from '../journal/checkpoint/checkpoints.ts';
import type { Journals } from '../journal/journals.ts';
import type { PrunePolicy, PruneReport } from '../journal/prune-policy.ts';
import type { VerifyReport } from '../journal/verify.ts';
import type { RunStatus } from '../store/contract/run.ts';
import type { Clock } from '../time/clock.ts';
import type { Duration } from '../time/duration.ts';
import type { Bounds } from '../value/bounds.ts';
import type { Encryption } from '../value/secret/encryption-key.ts';
import type { DiffOptions, RunOptions, RunSummary, StartedRun, SubmitOptions } from './graph-run.ts';
import type { StrandedRun } from './query/check-graphs.ts';
import type { AnswerOptions, AskedHere, AskQuery, OpenAsk } from './query/open-asks.ts';
import type { Retention } from './retention/retention-options.ts';
import type { ExportOptions } from './transfer/export-run.ts';
import type { ImportOptions, ImportReport } from './transfer/import-run.ts';
import type { Worker, WorkOptions } from './worker-handle.ts';

/**
 * Options of `openEngine`.
 *
 * @example
 * ```ts
 * const options: EngineOptions = { graphs: [refunds], lease: '10s', log: 'info' };
 * const worker = await openEngine('sqlite:./runs.db', options);
 * ```
 */
export interface EngineOptions {
  /**
   * The graphs that `recover` and `work` may execute; `start` and `get` add theirs. You can pass several versions of a
   * graph: a run stays on its own version as long as it is available.
   */
  readonly graphs?: readonly AnyGraph[] | undefined;
  /** False: never execute runs, only start, answer and read them, as in a web process. `start` is then `submit`. Default: true. */
  readonly executes?: boolean | undefined;
  /** How long the runs of a dead worker stay leased. Default: 5 seconds. */
  readonly lease?: Duration | undefined;
  /** The worker's name in errors and in the CLI. Two workers may share it. Default: a new one each time. */
  readonly workerId?: string | undefined;
  /** What `work` deletes and prunes in the background, a few runs at a time. Default: nothing. */
  readonly retention?: Retention | undefined;
  /**
   * Encrypts user data (payloads, states, snapshots) with AES-256-GCM before it reaches the store. Ids, tags, statuses and
   * the names of graphs, nodes and questions stay readable. Default: no encryption.
   */
  readonly encryption?: Encryption | undefined;
  /**
   * How much a run may hold and a call may bring: queued messages, open waits, tags, labels, records of a commit, the time
   * of a validation. Default: the table in docs/limits.md.
   */
  readonly bounds?: { readonly [K in keyof Bounds]?: Bounds[K] | undefined } | undefined;
  /** Sees everything that takes time, and every event that an operator may want to know. Default: nobody does. */
  readonly observe?: Observer | undefined;
  /**
   * Where events go: stderr from a level on ('silent': nowhere), a function, or a logger such as `console`. Default: warnings are
   * `process.emitWarning`, and nothing else is logged.
   *
   * @example
   * ```ts
   * const engine = await openEngine('sqlite:./runs.db', { log: 'info' });
   * ```
   */
  readonly log?: Log | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/**
 * Which runs to list. All conditions must match.
 *
 * @example
 * ```ts
 * const late: RunQuery = { status: 'waiting', graph: refunds, tags: { region: 'eu' }, olderThan: '1d' };
 * for await (const { id } of engine.runs(late)) console.log(id);
 * ```
 */
export interface RunQuery {
  readonly status?: RunStatus | readonly RunStatus[] | undefined;
  /** A graph, or its name. */
  readonly graph?: AnyGraph | string | undefined;
  readonly node?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly parentId?: string | undefined;
  /** Forks of this run. */
  readonly forkOf?: string | undefined;
  readonly idPrefix?: string | undefined;
  /** Only these runs, as far as they exist. */
  readonly ids?: readonly string[] | undefined;
  /** Only runs without a write for at least this long. */
  readonly olderThan?: Duration | undefined;
  /** A run id: only the runs after it, in the order of this list. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * An open store, and everything you can do with it.
 *
 * @example
 * ```ts
 * const engine = await openEngine('sqlite:./runs.db', { graphs: [refunds] });
 * const run = await engine.start(refunds, { order: 'ord-81' }, { id: 'ord-81' });
 * console.log(await run.result());
 * await engine.close();
 * ```
 */
export interface Engine extends AsyncDisposable {
  /**
   * Creates a run and executes it here; if `work` has reached its limit, as soon as there is room. Calling it again with the same id and input returns the same run and executes
   * nothing twice; a different input is refused. With `turn`, the input is the run's next turn: once the previous turn has
   * completed, the reducers merge it into the state and the run continues from 'start' in the same journal. Repeating a
   * turn returns the same turn. A failed or cancelled run accepts no turn.
   *
   * @throws HOLDFAST_INPUT_MISMATCH, HOLDFAST_INVALID_VALUE, HOLDFAST_RUN_ENDED
   */
  start<S extends Shape = UncompiledShape>(
    graph: Graph<S> | Uncompiled,
    input: S['input'],
    options?: RunOptions<S['nodes']>,
  ): StartedRun<S>;
  /**
   * Like `start`, but a worker executes the run. With `within`, the run exists if and only if your transaction commits; until
   * then its handle can only be sent and answered within the same transaction.
   */
  submit<S extends Shape = UncompiledShape>(
    graph: Graph<S> | Uncompiled,
    input: S['input'],
    options?: SubmitOptions<S['nodes']>,
  ): StartedRun<S>;
  /** Returns an existing run. @throws HOLDFAST_NOT_FOUND */
  get<S extends Shape>(graph: Graph<S>, id: string): StartedRun<S>;
  /**
   * Returns an existing run without its code; `import type` can still type it. The worker that executes the run validates
   * answers and messages: an invalid one is a 'refused' event, and the question stays open.
   */
  get<S extends Shape = AnyShape>(id: string): StartedRun<S>;
  /** Lists runs, newest first. */
  runs(query?: RunQuery): Listing<RunSummary>;
  /**
   * Lists the open questions of all runs that are not suspended, oldest first, like an inbox. Answer one with
   * `answer(question, value)`. With a graph, the questions have its types.
   *
   * @example
   * ```ts
   * for await (const question of engine.asks(refunds)) {
   *   if (question.name === 'approve') console.log(question.show.amount);
   * }
   * ```
   */
  asks(query?: AskQuery): Listing<OpenAsk>;
  /** Lists the open questions of a graph's runs, with its types. */
  asks<S extends Shape>(graph: Graph<S>, query?: Omit<AskQuery, 'graph'>): Listing<OpenAsk<S['asks']>>;
  /**
   * Answers a question that `asks` listed, or an open one by its id, like `run.answer`. Repeating an answer needs the question
   * itself: the id of a question that is no longer open does not say whose it was.
   *
   * @example
   * ```ts
   * const question = await engine.asks(refunds).first();
   * if (question !== undefined) await engine.answer(question, true, { by: 'ada' });
   * ```
   *
   * @throws HOLDFAST_ALREADY_ANSWERED, HOLDFAST_INVALID_VALUE, HOLDFAST_QUESTION_CLOSED, HOLDFAST_UNKNOWN_QUESTION
   */
  answer(question: AskedHere | string, value: unknown, options?: AnswerOptions): Promise<void>;
  /**
   * The changes from one state to another, of any two runs: each a checkpoint's id, or a run's id for its current state. See
   * `run.diff`.
   *
   * @example
   * ```ts
   * const changes = await engine.diff('order-7', 'order-7-fork');
   * ```
   *
   * @throws HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_CURSOR
   */
  diff(from: string, to: string, options?: DiffOptions): Promise<readonly Change[]>;
  /** Lists the unfinished runs that these graphs (default: the engine's) could not continue, and what each is missing. */
  check(graphs?: readonly AnyGraph[]): Promise<readonly StrandedRun[]>;
  /**
   * Continues here every unfinished run that is not leased or suspended, and resolves with their number. Runs that become
   * due later follow. Runs whose graph this engine does not have are left out, with a warning that names the graph.
   */
  recover(): Promise<number>;
  /**
   * Executes runs here until the worker is stopped: those that nobody finished (no `recover` is needed), those that others
   * submit, and those that become due. `close` stops it too.
   *
   * @example
   * ```ts
   * const worker = engine.work({ concurrency: 32, signals: true });
   * await worker.done;
   * ```
   *
   * @throws HOLDFAST_INVALID_OPTION
   */
  work(options?: WorkOptions): Worker;
  /** Drops old checkpoints that nothing depends on, and reports what protected the rest. @throws HOLDFAST_INVALID_OPTION */
  prune(policy: PrunePolicy): Promise<PruneReport>;
  /**
   * Deletes a run and everything that only it needs. Records that forks depend on are kept. False if the run does not exist.
   * `by` says who, to the log and the observer.
   */
  delete(runId: string, options?: { readonly by?: string | undefined }): Promise<boolean>;
  /**
   * Exports a run as JSON lines with checksums: `writeFile(path, engine.export(id))`. Includes its child runs and the part
   * of its base runs that it depends on.
   *
   * @throws HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_OPTION, HOLDFAST_CONFLICT
   */
  export(runId: string, options?: ExportOptions): AsyncIterable<Uint8Array>;
  /**
   * Imports a file that `export` wrote. Everything is checked before any of it becomes visible, and an existing run with
   * the same content is left unchanged. Nothing is executed: like a fork, an unfinished run is suspended until `resume` or
   * `answer`. A run from a redacted file can be read, but not continued.
   *
   * @throws HOLDFAST_FOREIGN_FILE, HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_CORRUPT, HOLDFAST_ID_TAKEN, HOLDFAST_CONFLICT
   */
  import(source: AsyncIterable<Uint8Array> | Uint8Array, options?: ImportOptions): Promise<ImportReport>;
  /** Reads the whole store and reports corrupt or missing data. */
  verify(): Promise<VerifyReport>;
  /** The journals of all runs. Journal runs are written here. */
  readonly journal: Journals;
  /** The checkpoints of journal runs. */
  readonly checkpoints: Checkpoints;
  /** Releases the runs that execute here, waits for the commits in flight and closes the store. */
  close(): Promise<void>;
}
