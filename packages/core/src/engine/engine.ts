import type { AnyGraph, AnyShape, Graph, Shape } from '../graph/shape.ts';
import type { Checkpoints } from '../journal/checkpoints.ts';
import type { Journals } from '../journal/journals.ts';
import type { PrunePolicy, PruneReport } from '../journal/prune-policy.ts';
import type { VerifyReport } from '../journal/verify.ts';
import type { RunStatus } from '../store/contract/run.ts';
import type { Clock } from '../time/clock.ts';
import type { Duration } from '../time/duration.ts';
import type { Encryption } from '../value/secret/encryption-key.ts';
import type { WorkOptions } from './lease/work-loop.ts';
import type { StrandedRun } from './query/check-graphs.ts';
import type { AskQuery, OpenAsk } from './query/open-asks.ts';
import type { Run, RunOptions, RunSummary } from './run.ts';
import type { ExportOptions } from './transfer/export-run.ts';
import type { ImportOptions, ImportReport } from './transfer/import-run.ts';

/** What an engine may be told when it is opened. */
export interface EngineOptions {
  /**
   * The code that `recover` and `work` may run; `start` and `get` add theirs. Several versions of one name may stand side
   * by side: a run keeps to its own while it is there.
   */
  readonly graphs?: readonly AnyGraph[] | undefined;
  /** False: never executes a run, only starts, answers and reads (a web process): `start` is `submit`. Default true. */
  readonly executes?: boolean | undefined;
  /** How long the runs of a worker that died stay leased; default 5 s. */
  readonly leaseMs?: number | undefined;
  /** The worker's name in errors and in the CLI; default: a new one each time. Two workers may share it. */
  readonly workerId?: string | undefined;
  /** What `work` may prune, a few runs at a time. */
  readonly retention?: PrunePolicy | undefined;
  /**
   * Encrypts what users write (payloads, states, snapshots) with AES-256-GCM before it reaches the store. Ids, tags,
   * statuses and the names of graphs, nodes and questions stay readable. Default: nothing is encrypted.
   */
  readonly encryption?: Encryption | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** Which runs; conditions all hold together. */
export interface RunQuery {
  readonly status?: RunStatus | readonly RunStatus[] | undefined;
  readonly graph?: string | undefined;
  readonly node?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly parentId?: string | undefined;
  /** Forks of this run. */
  readonly forkOf?: string | undefined;
  readonly idPrefix?: string | undefined;
  /** Not written to for so long. */
  readonly olderThan?: Duration | undefined;
  /** The id of a run: only those after it, in the order of this list. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** An open store and all that can be done with it. */
export interface Engine extends AsyncDisposable {
  /**
   * Creates the run and executes it here. The same id and input again gives the same run and executes nothing twice;
   * another input is refused. With `turn`, another input is the run's next turn: merged by the reducers onto its state,
   * from 'start' again, in the same journal, once the turn before it has completed. The same turn again is the same turn.
   * Refused for a failed or cancelled run.
   *
   * @throws HOLDFAST_INPUT_MISMATCH, HOLDFAST_INVALID_VALUE, HOLDFAST_RUN_ENDED
   */
  start<S extends Shape>(graph: Graph<S>, input: S['input'], options?: RunOptions<S['nodes']>): Promise<Run<S>>;
  /** The same, executed by a worker. */
  submit<S extends Shape>(graph: Graph<S>, input: S['input'], options?: RunOptions<S['nodes']>): Promise<Run<S>>;
  /** A run that is there. @throws HOLDFAST_NOT_FOUND */
  get<S extends Shape>(graph: Graph<S>, id: string): Promise<Run<S>>;
  /**
   * Without its code, typed if you like by `import type`. Answers and messages are then validated by whoever executes the
   * run: a bad one is a 'refused' event, and the question stays open.
   */
  get<S extends Shape = AnyShape>(id: string): Promise<Run<S>>;
  /** Newest first. */
  runs(query?: RunQuery): AsyncIterable<RunSummary>;
  /**
   * Open questions of all runs that are not suspended, oldest first: an inbox. `get(run).answer(name, value, { id })`
   * answers one.
   */
  asks(query?: AskQuery): AsyncIterable<OpenAsk>;
  /** Unfinished runs that these graphs (default: the engine's) could not continue, and what each misses. */
  check(graphs?: readonly AnyGraph[]): Promise<readonly StrandedRun[]>;
  /** Continues here every unfinished run that nobody leases, but for suspended ones; resolves with how many. Others follow when due. */
  recover(): Promise<number>;
  /** Claims and executes runs until the signal aborts; then drains: no new work, steps in flight finish or are released. */
  work(options: WorkOptions): Promise<void>;
  /** Drops old checkpoints as far as nothing stands on them, and says what protected the rest. @throws HOLDFAST_INVALID_OPTION */
  prune(policy: PrunePolicy): Promise<PruneReport>;
  /** The run and all that only it needs; false when there was none. What forks stand on stays. */
  delete(runId: string): Promise<boolean>;
  /**
   * A run with its children and the bases that it stands on, as one file of JSON lines with checksums:
   * `writeFile(path, engine.export(id))`. A base goes along as far as the run stands on it.
   *
   * @throws HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_OPTION, HOLDFAST_CONFLICT
   */
  export(runId: string, options?: ExportOptions): AsyncIterable<Uint8Array>;
  /**
   * Brings in what `export` wrote. All of it is checked before any of it is seen, and a run that is there with the same
   * content is left as it is. Nothing executes: an unfinished run is suspended, as a fork is, until `resume` or `answer`.
   * From a redacted file it can be read and not continued.
   *
   * @throws HOLDFAST_FOREIGN_FILE, HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_CORRUPT, HOLDFAST_ID_TAKEN, HOLDFAST_CONFLICT
   */
  import(source: AsyncIterable<Uint8Array> | Uint8Array, options?: ImportOptions): Promise<ImportReport>;
  /** Reads the whole store and says where something is corrupt or missing. */
  verify(): Promise<VerifyReport>;
  /** The journals of all runs, for agents that bring their own loop. */
  readonly journal: Journals;
  /** The checkpoints of agents that bring their own loop. */
  readonly checkpoints: Checkpoints;
  /** Releases the runs executed here, waits for the commits in flight and closes the store. */
  close(): Promise<void>;
}
