/** Where time comes from: the real clock, or a virtual one in tests. */
export interface Clock {
  /** Milliseconds since 1970, as the wall clock tells. */
  now(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
