/** How a clock sleeps. */
export interface SleepOptions {
  /** Does not keep the process alive. Default: it does. */
  readonly background?: boolean | undefined;
}

/**
 * The source of time: the real clock, or a virtual one in tests.
 *
 * @example
 * ```ts
 * const clock: Clock = virtualClock();
 * const opened = await openEngine('memory:', { clock });
 * ```
 */
export interface Clock {
  /** Milliseconds since 1970, from the wall clock. */
  now(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: AbortSignal, options?: SleepOptions): Promise<void>;
}
