// What a journal tells, in the terms of the page: who did what, when, and how it ended. Times are milliseconds since 1970.
import type { Json } from '@holdfast/server/client';

/** What a stretch of time was spent on. */
type SpanKind = 'run' | 'backoff' | 'wait';

/** How it ended. `open`: it has not. */
export type SpanEnd = 'done' | 'failed' | 'killed' | 'cancelled' | 'open';

/** A stretch of time of a node: a try, the backoff after it, or a wait. */
export interface Span {
  readonly node: string;
  readonly item: number | undefined;
  readonly kind: SpanKind;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
  readonly end: SpanEnd;
  /** What it was about: the step, the question, the message of the error. */
  readonly what: string;
  /** The record that ended it, or began it if it lasts. */
  readonly seq: number;
  readonly superstep: number;
}

/** An error as a journal has it. */
export interface StoredProblem {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
  readonly causes: readonly string[];
}

/** A try that failed. */
export interface FailedTry {
  readonly runId: string;
  readonly seq: number;
  readonly at: number;
  readonly node: string;
  readonly item: number | undefined;
  readonly step: string | undefined;
  readonly attempt: number;
  readonly error: StoredProblem;
  /** Undefined: it was the last one. */
  readonly retryAt: number | undefined;
  readonly superstep: number;
}

/** Something that the run waited for, or still does. */
export interface WaitStory {
  readonly id: string;
  readonly kind: string;
  readonly node: string;
  readonly item: number | undefined;
  readonly name: string;
  readonly seq: number;
  readonly superstep: number;
  readonly from: number;
  readonly to: number | undefined;
  readonly until: number | undefined;
  readonly childId: string | undefined;
  readonly show: Json | undefined;
  readonly schema: Json | undefined;
  /** The answer, once there is one. */
  readonly value: Json | undefined;
  readonly by: string | undefined;
}

/** One execution of a node in a super-step. */
export interface TaskStory {
  readonly node: string;
  readonly item: number | undefined;
  readonly superstep: number;
  readonly from: number;
  readonly to: number | undefined;
  readonly status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'suspended';
  /** How many tries failed. */
  readonly failures: number;
  /** How long it was executed, waits and backoffs left out. */
  readonly activeMs: number;
  readonly wasTakenOver: boolean;
}

/** A super-step: its nodes, and the checkpoint at its end. */
export interface SuperstepStory {
  readonly index: number;
  /** The run that it belongs to: a fork's first ones are of the run that it was forked from. */
  readonly runId: string;
  readonly nodes: readonly string[];
  readonly from: number;
  readonly to: number | undefined;
  /** Of the record before it. */
  readonly startSeq: number;
  /** Of its checkpoint. Undefined while it is open. */
  readonly seq: number | undefined;
  readonly changed: readonly string[];
}

/** A line that a node logged. */
export interface LogLine {
  readonly runId: string;
  readonly seq: number;
  readonly at: number;
  readonly node: string;
  readonly superstep: number;
  readonly message: string;
  readonly data: Json | undefined;
}

/** A worker took a run over from one that died. The first record that it wrote says so. */
export interface TakenOver {
  readonly seq: number;
  readonly superstep: number;
  /** When the dead worker was last known to live. */
  readonly diedAt: number;
  /** When the other worker claimed the run. */
  readonly at: number;
  readonly from: string | undefined;
  readonly by: string;
  /** `death`: its process or connection was gone. `lease`: it let its lease end. */
  readonly noticed: 'lease' | 'death' | undefined;
  readonly fence: number;
}

/** What the records of a run tell. */
export interface Story {
  readonly supersteps: readonly SuperstepStory[];
  readonly tasks: readonly TaskStory[];
  readonly spans: readonly Span[];
  readonly waits: readonly WaitStory[];
  readonly failures: readonly FailedTry[];
  readonly logs: readonly LogLine[];
  readonly takeovers: readonly TakenOver[];
  /** Steps whose effect must happen only once, by node: the journal has their intents. */
  readonly onceNodes: ReadonlySet<string>;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly activeMs: number;
  readonly end:
    | { readonly status: string; readonly error: StoredProblem | undefined; readonly at: number; readonly seq: number }
    | undefined;
  readonly lastSeq: number;
}
