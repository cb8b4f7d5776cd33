/** What one request, and all of them together, may use. */
export interface Limits {
  /** The largest body, in bytes. Default: 1 MB. */
  readonly bodyBytes: number;
  /** The largest file of an import, in bytes. Default: 64 MB. */
  readonly importBytes: number;
  /** How long the file of an import may take to arrive, and then its check, in milliseconds. Default: 20 seconds. */
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
  /** The largest page of records, differences or questions, in characters, unless a single one is larger. Default: 4 MB. */
  readonly pageLength: number;
  /** Bytes of bodies that one caller may be sending at a time. Default: 16 MB. */
  readonly bodyBytesPerCaller: number;
  /** Event streams at a time. Default: 1,000. */
  readonly streams: number;
  /** Event streams of one caller at a time. Default: 250. */
  readonly streamsPerCaller: number;
  /** What a stream may have unread, in bytes, before its reader has `stallMs` to catch up. Default: 1 MB. */
  readonly unreadBytes: number;
  /** What all streams of one caller may have unread together, in bytes. Default: 16 MB. */
  readonly unreadBytesPerCaller: number;
  /** How long a full stream waits for its reader, in milliseconds. Default: 10 seconds. */
  readonly stallMs: number;
  /** How often an idle stream says that it is alive, in milliseconds. Default: 15 seconds. */
  readonly heartbeatMs: number;
}

/** The limits of a server that says nothing else. */
const defaultLimits: Limits = {
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
  pageLength: 4_194_304,
  bodyBytesPerCaller: 16_777_216,
  streams: 1_000,
  streamsPerCaller: 250,
  unreadBytes: 1_048_576,
  unreadBytesPerCaller: 16_777_216,
  stallMs: 10_000,
  heartbeatMs: 15_000,
};

/** The limits with what is given instead. @throws TypeError for a name or a value that cannot be right */
export function limitsOf(given: { readonly [K in keyof Limits]?: Limits[K] | undefined } = {}): Limits {
  const limits = { ...defaultLimits };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultLimits, name)) throw new TypeError(`api() has no limit ${JSON.stringify(name)}.`);
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`The limit ${name} must be a whole number, 1 or more.`);
    limits[name as keyof Limits] = value;
  }
  return limits;
}
