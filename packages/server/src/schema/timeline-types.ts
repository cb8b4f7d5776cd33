// What the run page draws. Times are ISO 8601.
import type { Json } from '../json/plain.ts';
import type { SpanMark, SpanStatus } from '../timeline/span.ts';
import type { ChangeJson, CheckpointJson } from './types.ts';

/** What the journal has of an error. */
export interface ErrorPartJson {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** A bar of a timeline: one try of a node, or of something that its body called. */
export interface SpanJson {
  readonly runId: string;
  /** The record that ended it. Null if it is open, or was killed before it wrote one. */
  readonly seq: number | null;
  readonly superstep: number;
  readonly node: string;
  readonly item: number | null;
  /** `node`, `step`, or what is waited for: `ask`, `sleep`, `receive`, `child`, `effect`. */
  readonly kind: string;
  /** Null for a node itself. */
  readonly name: string | null;
  /** The n-th call with that name in the task, from 0. */
  readonly call: number;
  readonly attempt: number;
  /** Derived from the records before it: a body that computes for long between two calls looks like the second call. */
  readonly from: string;
  readonly until: string | null;
  readonly status: SpanStatus;
  /** What the last takeover made of it. Null: it was executed since. */
  readonly mark: SpanMark | null;
  readonly error?: ErrorPartJson | undefined;
  /** Of a wait: its id, and who ended it. */
  readonly wait?: string | undefined;
  readonly by?: string | undefined;
  readonly childId?: string | undefined;
}

/** A run that was taken over from a worker that died. */
export interface TakeoverJson {
  readonly runId: string;
  /** The first record after it. */
  readonly seq: number;
  readonly at: string;
  /** The last record of the worker that died. */
  readonly lastAt: string;
  readonly worker: string;
  /** Null if the store does not tell. */
  readonly from: string | null;
  /** `lease`: its lease ended. `death`: its process or connection was gone before that. */
  readonly noticed: 'lease' | 'death' | null;
  readonly fence: number;
  /** How many calls and nodes were kept, given back from the journal, and cut off. */
  readonly kept: number;
  readonly replayed: number;
  readonly killed: number;
}

/** The timeline of a run and of the runs that it was forked from. */
export interface TimelineJson {
  readonly spans: readonly SpanJson[];
  readonly takeovers: readonly TakeoverJson[];
  /** The first record that was read. */
  readonly from: number;
  /** True if there are records before it. */
  readonly isCut: boolean;
}

/** A question of a run, open or not. */
export interface QuestionJson {
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  readonly node: string;
  readonly name: string;
  readonly show: Json;
  /** JSON Schema, or null if it is not known. */
  readonly answerSchema: Json;
  readonly since: string;
  readonly until: string | null;
  /** `given`: whoever executes the run has yet to check the answer. */
  readonly status: 'open' | 'given' | 'answered' | 'timeout' | 'withdrawn';
  readonly answer?: Json | undefined;
  readonly by?: string | undefined;
  /** When it was answered, or timed out. */
  readonly at?: string | undefined;
  /** Why the last answer was refused. */
  readonly refused?: ErrorPartJson | undefined;
}

/** The questions of a run, oldest first. */
export interface QuestionsJson {
  readonly questions: readonly QuestionJson[];
  /** True if there are older ones. */
  readonly isCut: boolean;
}

/** A node that a fork would run, and what it did in the base. */
export interface ForkNodeJson {
  readonly node: string;
  /** Runs first. The others may follow. */
  readonly isNext: boolean;
  /** The steps that it called in the base after the fork point. */
  readonly steps: readonly string[];
  /** It did something there that must not happen twice: the fork does it again, with keys of its own. */
  readonly hasEffect: boolean;
}

/** What a fork would share, change and run. Nothing is created. */
export interface ForkPreviewJson {
  readonly at: CheckpointJson;
  readonly next: readonly string[];
  /** What is shared with the base, newest first, up to 100. */
  readonly reused: readonly CheckpointJson[];
  readonly runs: readonly ForkNodeJson[];
  readonly patch: readonly ChangeJson[];
  /** Channels of `set` that the state at the fork point does not have. */
  readonly unknown: readonly string[];
}

/** The unfinished runs of one version of a graph. */
export interface VersionJson {
  readonly version: number;
  readonly unfinished: number;
  /** How many of them the server's own build of the graph could not continue. */
  readonly stranded: number;
  /** What it lacks for them. */
  readonly missing: readonly string[];
}

/** Whether the server's build of a graph could continue all of its unfinished runs. */
export interface GraphCheckJson {
  readonly version: number;
  readonly versions: readonly VersionJson[];
  /** Runs that it could not continue, up to 100. */
  readonly stranded: readonly {
    readonly runId: string;
    readonly version: number;
    readonly missing: readonly string[];
  }[];
  /** True if only the newest runs were looked at. */
  readonly isCut: boolean;
}
