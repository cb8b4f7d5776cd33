// The types of what the engine will export, until it does: then samples.ts imports them from 'holdfast' and this goes.
import type {
  AnyGraph,
  AnyShape,
  Asks,
  Checkpoints,
  Clock,
  Duration,
  Graph,
  HoldfastError,
  Journals,
  Shape,
  Store,
  StoreUrl,
  VerifyReport,
} from 'holdfast';
import type { In, Writable } from '../../packages/core/src/channel/schema.ts';
import type { AnswerIn, ShowOut } from '../../packages/core/src/graph/ask.ts';

// ── runs ────────────────────────────────────────────────────────────────────────────────────────────────────
export type EndStatus = 'completed' | 'failed' | 'cancelled';
export type RunStatus = 'pending' | 'running' | 'waiting' | EndStatus;
/** `run` is the one that waits: an inner graph's question carries the inner run. */
export type Wait<A = Asks> = {
  readonly id: string;
  readonly run: string;
  readonly node: string;
  readonly task: string;
  readonly since: Date;
  readonly until?: Date;
} & (
  | { [K in keyof A & string]: { readonly kind: 'ask'; readonly name: K; readonly show: ShowOut<A[K]> } }[keyof A &
      string]
  | { readonly kind: 'sleep' | 'receive'; readonly name: string }
  | { readonly kind: 'pause'; readonly when: 'before' | 'after' }
  | { readonly kind: 'child'; readonly name: string; readonly child: string }
  | { readonly kind: 'effect'; readonly name: string; readonly key: string }
);
export type Outcome<S extends Shape = AnyShape> =
  | { readonly status: 'completed'; readonly state: S['state']; readonly output: S['output'] }
  | { readonly status: 'waiting'; readonly state: S['state']; readonly waits: readonly Wait<S['asks']>[] }
  | { readonly status: 'failed'; readonly state: S['state']; readonly error: HoldfastError }
  | { readonly status: 'cancelled'; readonly state: S['state']; readonly reason: string | undefined };
/** One node execution; in `each`, `item` is which of how many. */
interface TaskEvent<N> {
  readonly node: N;
  readonly task: string;
  readonly attempt: number;
  readonly item?: { readonly index: number; readonly of: number };
}
/** `seq` is its record's, and one record can give several events; `cursor` is the event's own: what `after` and Last-Event-ID take. 'node-start' and 'step-start' come live only, with the cursor of the event before them. */
export type RunEvent<S extends Shape = AnyShape> = {
  readonly cursor: string;
  readonly seq: number;
  readonly at: Date;
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
      readonly step: number;
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
export interface Checkpoint<State = Readonly<Record<string, unknown>>, N = string> {
  readonly id: string; // `${run}@${seq}`: also a cursor, whatever alias it was saved under
  readonly run: string;
  readonly workflow: string; // the graph's name, or what a user's own loop saved
  readonly seq: number; // its own record
  readonly covers: number; // how much of the journal it accounts for (an engine run's: its seq)
  readonly step: number; // super-step
  readonly turn?: string; // of which turn
  readonly parent: string | null; // the checkpoint before it, across forks
  readonly label: string;
  readonly next: readonly N[];
  readonly status: RunStatus | `terminal:${string}`;
  readonly at: Date;
  readonly state: State;
  readonly metadata: CheckpointMetadata;
}
export interface CheckpointMetadata {
  readonly version: number;
  readonly inFlightTasks: number;
  readonly reason?: string;
  readonly writer?: string;
  readonly custom?: unknown;
}
export interface RunOptions<N extends string = string> {
  readonly id?: string | undefined;
  /** Names this input as a turn of the run `id`: see `start`. */
  readonly turn?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** A turn's, counted over restarts and resumes. */
  readonly maxSteps?: number | undefined;
  readonly pauseBefore?: readonly N[] | undefined;
  readonly pauseAfter?: readonly N[] | undefined;
}
/** What comes after `answer`, `send`, `resolve`, `resume`, `fork` goes on here, if this engine executes and knows the code, or in a worker. Once their promise has resolved, `outcome` never tells of the wait that they ended. */
export interface Run<S extends Shape = AnyShape> {
  readonly id: string;
  /** Where this start, turn or fork began: `events({ after: run.cursor })` is all that followed. */
  readonly cursor: string;
  /** Resolves when the run has ended, or can only go on by someone else's doing (an answer, a message, resume). Sleeps and backoffs are waited through. */
  outcome(options?: { readonly signal?: AbortSignal | undefined }): Promise<Outcome<S>>;
  /** Resolves with the output (a graph's is its state) when the run has completed, through every wait; rejects when it failed or was cancelled. */
  result(options?: { readonly signal?: AbortSignal | undefined }): Promise<S['output']>;
  /** Ends with the run, or with `until: 'idle'` also where `outcome` would resolve: what an HTTP response wants. */
  events(options?: {
    readonly after?: string | number | undefined;
    readonly until?: 'end' | 'idle' | undefined;
    readonly signal?: AbortSignal | undefined;
  }): AsyncIterable<RunEvent<S>>;
  /** Validates and journals the answer. Without `id` it is for the one open question of that name (several: refused), or for the first if none has been asked yet. The same answer again is fine; another one is refused and told which won. */
  answer<K extends keyof S['asks'] & string>(
    name: K,
    answer: AnswerIn<S['asks'][K]>,
    options?: { readonly id?: string | undefined; readonly by?: string | undefined },
  ): Promise<void>;
  /** Validates and journals a message. The same `id` again is the same message. */
  send<K extends keyof S['receives'] & string>(
    name: K,
    value: In<S['receives'][K]>,
    options?: { readonly id?: string | undefined },
  ): Promise<void>;
  /** Settles a 'once' effect of unknown outcome. */
  resolve(key: string, outcome: { readonly result: unknown } | { readonly error: string } | 'retry'): Promise<void>;
  summary(): Promise<RunSummary>;
  /** Newest first, without loading the others. */
  history(options?: {
    readonly limit?: number | undefined;
    readonly before?: string | undefined;
  }): AsyncIterable<Checkpoint<S['state'], S['nodes']>>;
  state(at?: string): Promise<Checkpoint<S['state'], S['nodes']>>;
  diff(from: string, to: string): Promise<readonly Change[]>;
  /** A new run that shares everything up to `at` (default: the head). `set` gives values, not updates: validated, unknown channels refused. */
  fork(
    options?: Omit<RunOptions<S['nodes']>, 'turn'> & {
      readonly at?: string | undefined;
      readonly set?: { readonly [K in keyof S['state']]?: Writable<S['state'][K]> };
      readonly next?: readonly S['nodes'][] | undefined;
      readonly label?: string | undefined;
    },
  ): Promise<Run<S>>;
  /** Continues a failed, paused or interrupted run, from its head. */
  resume(options?: { readonly maxSteps?: number | undefined }): Promise<Run<S>>;
  /** Ends the run and its children: running steps are aborted, no user code runs afterwards. */
  cancel(reason?: string): Promise<void>;
}
export interface Change {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

// ── the engine and its store ────────────────────────────────────────────────────────────────────────────────
export interface EngineOptions {
  /** The code that `recover` and `work` may run; `start` and `get` add theirs. Several versions of one name may stand side by side: a run keeps to its own while it is there. */
  readonly graphs?: readonly AnyGraph[] | undefined;
  /** False: never executes a run, only starts, answers and reads (a web process): `start` is `submit`. Default true. */
  readonly executes?: boolean | undefined;
  readonly leaseMs?: number | undefined;
  readonly workerId?: string | undefined;
  readonly retention?: PrunePolicy | undefined;
  readonly clock?: Clock | undefined;
}
export declare function open(store: StoreUrl | Store, options?: EngineOptions): Promise<Engine>;
export interface Engine extends AsyncDisposable {
  /**
   * Creates the run and executes it here. The same id and input again gives the same run and executes nothing twice; another input is refused.
   * With `turn`, another input is the run's next turn: merged by the reducers onto its state, from 'start' again, in the same journal, once the turn
   * before it has completed. The same turn again is the same turn. Refused for a failed or cancelled run.
   */
  start<S extends Shape>(graph: Graph<S>, input: S['input'], options?: RunOptions<S['nodes']>): Promise<Run<S>>;
  /** The same, executed by a worker. */
  submit<S extends Shape>(graph: Graph<S>, input: S['input'], options?: RunOptions<S['nodes']>): Promise<Run<S>>;
  get<S extends Shape>(graph: Graph<S>, id: string): Promise<Run<S>>;
  /** Without its code, typed if you like by `import type`. Answers and messages are then validated by whoever executes the run: a bad one is a 'refused' event, and the question stays open. */
  get<S extends Shape = AnyShape>(id: string): Promise<Run<S>>;
  runs(query?: RunQuery): AsyncIterable<RunSummary>;
  /** Open questions of all runs, oldest first: an inbox. `get(run).answer(name, value, { id })` answers one. */
  asks(query?: AskQuery): AsyncIterable<OpenAsk>;
  /** Unfinished runs that these graphs (default: the engine's) could not continue, and what each misses. */
  check(graphs?: readonly AnyGraph[]): Promise<
    readonly {
      readonly run: string;
      readonly graph: string;
      readonly version: number;
      readonly missing: readonly string[];
    }[]
  >;
  /** Takes up here every unfinished run that nobody holds; resolves with how many, once they are taken. */
  recover(): Promise<number>;
  /** Claims and executes runs until the signal aborts; then drains: no new work, steps in flight finish or are released. */
  work(options: {
    readonly concurrency?: number | undefined;
    readonly drainMs?: number | undefined;
    readonly signal: AbortSignal;
  }): Promise<void>;
  prune(policy: PrunePolicy): Promise<PruneReport>;
  /** The run and all that only it needs; false when there was none. What forks stand on stays. */
  delete(run: string): Promise<boolean>;
  verify(): Promise<VerifyReport>;
  readonly journal: Journals;
  readonly checkpoints: Checkpoints;
  close(): Promise<void>;
}
export interface RunQuery {
  readonly status?: RunStatus | readonly RunStatus[] | undefined;
  readonly graph?: string | undefined;
  readonly node?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly parent?: string | undefined;
  readonly base?: string | undefined;
  readonly idPrefix?: string | undefined;
  readonly olderThan?: Duration | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}
/** `parent`: the run that this one is a child of. `base`: the checkpoint that it was forked from. */
export interface RunSummary {
  readonly id: string;
  readonly graph: string;
  readonly version: number;
  readonly status: RunStatus;
  readonly step: number;
  readonly head: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly tags: Readonly<Record<string, string>>;
  readonly parent: string | null;
  readonly base: string | null;
  readonly waits: readonly string[];
}
export interface AskQuery {
  readonly graph?: string | undefined;
  readonly name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined /** This run and its children. */;
  readonly under?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}
/** `answerSchema` is JSON Schema where the schema's library can give it. */
export interface OpenAsk {
  readonly id: string;
  readonly run: string;
  readonly graph: string;
  readonly node: string;
  readonly name: string;
  readonly show: unknown;
  readonly answerSchema: unknown;
  readonly since: Date;
  readonly until?: Date;
  readonly tags: Readonly<Record<string, string>>;
}
export interface PrunePolicy {
  readonly run?: string | undefined /** Checkpoints that cover less than this seq. */;
  readonly before?: number | undefined;
  readonly olderThan?: Duration | undefined;
  readonly keep?: number | undefined;
  readonly keepLatestTerminal?: boolean | undefined;
  readonly status?: readonly RunStatus[] | undefined;
  readonly dryRun?: boolean | undefined;
}
export interface PruneReport {
  readonly runs: number;
  readonly pruned: number;
  readonly retained: number;
  readonly bytes: number;
  readonly preservedTerminal: readonly string[];
  readonly protectedBy: readonly {
    readonly checkpoint: string;
    readonly because: 'fork' | 'pending-effect' | 'waiting' | 'latest' | 'terminal';
  }[];
}

// ── a long-lived agent: lifecycle, shutdown, recovery ───────────────────────────────────────────────────────
export type AgentPhase = 'init' | 'ready' | 'active' | 'suspended' | 'retiring' | 'terminated';
export type AgentEvent = 'boot' | 'activate' | 'suspend' | 'resume' | 'retire' | 'terminate' | 'abort';
export interface Agent<AppState> extends AsyncDisposable {
  readonly id: string;
  readonly phase: AgentPhase;
  readonly appState: AppState;
  /** Set when a checkpoint of an earlier life was found: its phase, its reason and the names of the work in flight. */
  readonly recovered:
    | (Checkpoint<AppState> & { readonly phase: AgentPhase; readonly unfinished: readonly string[] })
    | undefined;
  transition(event: AgentEvent): Promise<AgentPhase>;
  /** Refused while draining. */
  task<T>(name: string, fn: (signal: AbortSignal) => Promise<T>): Promise<T>;
  update(next: AppState): void;
  checkpoint(reason?: string): Promise<string>;
  /** Drains, checkpoints with the names of what is still in flight, terminates. */
  shutdown(options?: {
    readonly reason?: string | undefined;
    readonly drainMs?: number | undefined;
  }): Promise<{ readonly unfinished: readonly string[]; readonly checkpoint: string }>;
}
export declare function openAgent<AppState>(
  engine: Engine,
  options: { readonly id: string; readonly initial: AppState; readonly signals?: boolean | undefined },
): Promise<Agent<AppState>>;
