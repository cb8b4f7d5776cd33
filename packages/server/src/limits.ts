/** What one request, and all of them together, may use. */
export interface Limits {
  /** The largest body, in bytes. Default: 1 MB. */
  readonly bodyBytes: number;
  /** The largest file of an import, in bytes. Default: 64 MB. */
  readonly importBytes: number;
  /** How long the check of an import may take, in milliseconds. Default: 20 seconds. */
  readonly importMs: number;
  /** The heap of the process that checks an import, in megabytes. Default: 512. */
  readonly importHeapMegabytes: number;
  /** How deep a body may be nested. Default: 64. */
  readonly depth: number;
  /** How many values a body may have. Default: 100,000. */
  readonly nodes: number;
  /** The largest URL, in characters. Default: 8,192. */
  readonly urlLength: number;
  /** The largest headers, in characters. Default: 16,384. */
  readonly headerLength: number;
  /** How long a body may take to arrive, in milliseconds. Default: 10 seconds. */
  readonly bodyMs: number;
  /** How long an answer may take, in milliseconds. Default: 30 seconds. */
  readonly answerMs: number;
  /** The largest state as one JSON text, in characters. Default: 1 MB. */
  readonly stateLength: number;
  /** Event streams at a time. Default: 1,000. */
  readonly streams: number;
  /** Event streams of one caller at a time. Default: 250. */
  readonly streamsPerCaller: number;
  /** What a stream may have unread, in bytes, before its reader has `stallMs` to catch up. Default: 1 MB. */
  readonly unreadBytes: number;
  /** How long a full stream waits for its reader, in milliseconds. Default: 10 seconds. */
  readonly stallMs: number;
  /** How often an idle stream says that it is alive, in milliseconds. Default: 15 seconds. */
  readonly heartbeatMs: number;
}

/** The limits of a server that says nothing else. */
export const defaultLimits: Limits = {
  bodyBytes: 1_048_576,
  importBytes: 67_108_864,
  importMs: 20_000,
  importHeapMegabytes: 512,
  depth: 64,
  nodes: 100_000,
  urlLength: 8_192,
  headerLength: 16_384,
  bodyMs: 10_000,
  answerMs: 30_000,
  stateLength: 1_048_576,
  streams: 1_000,
  streamsPerCaller: 250,
  unreadBytes: 1_048_576,
  stallMs: 10_000,
  heartbeatMs: 15_000,
};
