/** What happened to a node, a step or a wait. */
export type SpanStatus = 'executed' | 'failed' | 'killed' | 'executing' | 'waiting' | 'cancelled';

/** What the last takeover made of it: `kept` is never looked at again, `replayed` was given back from the journal. */
export type SpanMark = 'kept' | 'replayed';

/** A bar of a timeline: one try of a node or of a call in it. Times are milliseconds since 1970. */
export interface Span {
  readonly runId: string;
  /** The record that ended it. Null if it is open, or was killed before it wrote one. */
  seq: number | null;
  readonly superstep: number;
  readonly node: string;
  readonly item: number | undefined;
  /** A node itself, or what its body called. */
  readonly kind: string;
  /** The name of the call. Undefined for a node. */
  readonly name: string | undefined;
  /** The n-th call with that name in the task, from 0. */
  readonly n: number | undefined;
  readonly attempt: number;
  readonly from: number;
  until: number | null;
  status: SpanStatus;
  mark?: SpanMark | undefined;
  error?: { readonly code?: string; readonly message?: string } | undefined;
  /** Of a wait: its id, and who ended it. */
  readonly wait?: string | undefined;
  by?: string | undefined;
  readonly childId?: string | undefined;
}

/** A takeover, and what it made of the calls so far. */
export interface TakeoverSpan {
  readonly runId: string;
  /** The first record that was written after it. */
  readonly seq: number;
  readonly at: number;
  /** The last record of the worker that died. */
  readonly lastAt: number;
  readonly worker: string;
  readonly from: string | null;
  readonly noticed: 'lease' | 'death' | null;
  readonly fence: number;
  readonly kept: number;
  readonly replayed: number;
  readonly killed: number;
}
