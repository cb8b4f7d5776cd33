// What travels: plain JSON. Times are ISO 8601. The schemas beside this file are checked against these types.
import type { GraphStructure, PruneReport, RunKind, RunStatus } from 'holdfast';
import type { Json } from '../json/plain.ts';

/** An error. `code` is one of docs/errors.md, or begins with `HTTP_`. */
export interface ErrorJson {
  readonly code: string;
  readonly message: string;
  readonly details?: Json | undefined;
}

/** What a run in a list waits for. */
export interface WaitHeadJson {
  readonly kind: 'ask' | 'sleep' | 'receive' | 'pause' | 'child' | 'effect';
  readonly name: string;
}

/** A worker that could not continue a run. */
export interface RefusalJson {
  readonly worker: string;
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

/** A run in a list. `parentId` and `forkedAt` are null too if the caller may not see those runs. */
export interface RunJson {
  readonly id: string;
  readonly kind: RunKind;
  readonly graph: string;
  readonly version: number;
  readonly status: RunStatus;
  readonly superstep: number;
  readonly head: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly parentId: string | null;
  readonly forkedAt: string | null;
  readonly waits: readonly WaitHeadJson[];
  readonly wakeAt: string | null;
  readonly worker: string | null;
  readonly refusals: readonly RefusalJson[];
}

/** A page of runs. `next` is the `after` of the next page; null on the last one. A page may be shorter than its limit. */
export interface RunsPageJson {
  readonly runs: readonly RunJson[];
  readonly next: string | null;
}

/** Something that a run waits for. */
export interface WaitJson {
  readonly kind: WaitHeadJson['kind'];
  readonly name: string;
  readonly id: string;
  readonly runId: string;
  readonly node: string;
  readonly since: string;
  readonly until?: string | undefined;
  readonly show?: Json | undefined;
  readonly childId?: string | undefined;
  /** Of an effect: what `settle` takes. */
  readonly key?: string | undefined;
}

/** The worker that executes a run. `until` is null if it has died: the next worker that looks takes the run over. */
export interface LeaseJson {
  readonly worker: string;
  readonly fence: number;
  readonly until: string | null;
  /** How often the run was taken over since its last record. */
  readonly takeovers: number;
}

/** A run with what it waits for, why it failed or what it returned. */
export interface RunDetailsJson extends RunJson {
  /** Null if no worker executes it. */
  readonly lease: LeaseJson | null;
  readonly next: readonly string[];
  readonly open: readonly WaitJson[];
  readonly error?: Json | undefined;
  readonly output?: Json | undefined;
  readonly reason?: string | undefined;
}

/** A checkpoint without its state. `kind` is its record's; null if that was pruned. */
export interface CheckpointJson {
  readonly kind: string | null;
  /** The nodes that ran for it. */
  readonly nodes: readonly string[];
  /** The channels that it changed. */
  readonly changed: readonly string[];
  /** About how large its record is, as JSON. */
  readonly bytes: number;
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  readonly superstep: number;
  readonly turn?: string | undefined;
  readonly parentId: string | null;
  readonly label: string;
  readonly next: readonly string[];
  readonly status: string;
  readonly at: string;
}

/** A page of checkpoints, newest first. `next` is the `before` of the next page. */
export interface CheckpointsPageJson {
  readonly checkpoints: readonly CheckpointJson[];
  readonly next: string | null;
}

/** A run with its forks, and theirs. */
export interface ForkTreeJson {
  readonly root: string;
  readonly runs: readonly RunJson[];
  /** The newest checkpoints of each run's own, by run. */
  readonly checkpoints: Readonly<Record<string, readonly CheckpointJson[]>>;
  /** True if there are more than are listed. */
  readonly isCut: boolean;
}

/** An item of a list or a field of an object. */
export interface StateItem {
  readonly key: string | number;
  readonly node: StateNode;
}

/** A part of a state. `size` without `items`, or more than there are `items`: the rest was not asked for. */
export interface StateNode {
  readonly kind:
    | 'null'
    | 'boolean'
    | 'number'
    | 'string'
    | 'bigint'
    | 'date'
    | 'bytes'
    | 'list'
    | 'map'
    | 'set'
    | 'object'
    | 'redacted';
  readonly value?: Json | undefined;
  readonly size?: number | undefined;
  readonly from?: number | undefined;
  readonly items?: readonly StateItem[] | undefined;
}

/** A state, or a part of it. With `as=json` it is in `json`, otherwise in `node`. */
export interface StateJson {
  readonly checkpoint: string;
  readonly path: string;
  readonly node?: StateNode | undefined;
  readonly json?: Json | undefined;
}

/** One difference between two states. */
export interface ChangeJson {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
}

/** A page of differences. `next` is the `after` of the next page. */
export interface DiffJson {
  readonly changes: readonly ChangeJson[];
  readonly next: number | null;
}

/** A record of a journal. */
export interface RecordJson {
  readonly runId: string;
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly source: string;
  readonly at: string;
  readonly labels: readonly string[];
  readonly meta: Json;
  readonly payload: Json;
}

/** A page of a journal, oldest first. `next` is the `after` of the next page. */
export interface JournalPageJson {
  readonly records: readonly RecordJson[];
  readonly next: number | null;
}

/** An open question. `answerSchema` is JSON Schema, or null if it is not known. */
export interface AskJson {
  readonly id: string;
  readonly runId: string;
  readonly graph: string;
  readonly node: string;
  readonly name: string;
  readonly show: Json;
  readonly answerSchema: Json;
  readonly since: string;
  readonly until?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** A page of open questions, oldest first. */
export interface AsksPageJson {
  readonly asks: readonly AskJson[];
  readonly next: string | null;
}

/** A run that was started or forked. `cursor`: its events after this one are new. */
export interface StartedJson {
  readonly run: RunJson;
  readonly cursor: string;
}

/** A command was journalled. */
export interface DoneJson {
  readonly run: RunJson;
}

/** What a prune dropped or, as a dry run, would drop. */
export interface PrunedJson extends PruneReport {
  readonly dryRun: boolean;
}

/** A graph that the server knows. */
export interface GraphJson {
  readonly name: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly structure: GraphStructure;
  readonly inputSchema: Json;
  readonly mermaid: string;
}

/** A number of runs; `isCut`: at least so many. */
export interface CountJson {
  readonly count: number;
  readonly isCut: boolean;
}

/** What the overview shows. */
export interface OverviewJson {
  readonly runs: Readonly<Record<RunStatus, CountJson>>;
  readonly asks: CountJson;
}

/** The runs of a graph in the store. `bytes` is an estimate from a sample of its runs. */
export interface GraphSizeJson {
  readonly graph: string;
  readonly runs: number;
  readonly records: number;
  readonly bytes: number;
}

/** The size of the store; `isCut`: only its newest runs were counted. */
export interface StoreJson {
  readonly graphs: readonly GraphSizeJson[];
  readonly isCut: boolean;
}

/** Whether the server and its store answer. */
export interface HealthJson {
  readonly status: 'ok' | 'unavailable';
}

/** Whose request it is. */
export interface CallerJson {
  readonly by: string;
  readonly admin: boolean;
  readonly readOnly: boolean;
}

/** An event as the stream sends it; the fields besides these are those of `RunEvent`. */
export interface EventJson {
  readonly cursor: string;
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly [field: string]: Json;
}
