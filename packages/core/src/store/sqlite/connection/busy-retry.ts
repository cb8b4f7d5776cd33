import type { Env } from '../../../env/env.ts';
import { failureOf } from '../errors.ts';

/** A lock is held for about one sync of the disk, so the first tries come soon. */
const eagerTries = 2;
const longestPauseMs = 4;

interface RetryOptions<T> {
  readonly env: Env;
  readonly patienceMs: number;
  /** Synchronous and all or nothing. A failure because of another process's lock is tried again. */
  readonly attempt: () => T;
}

/**
 * Waits for the locks of other processes without holding up the event loop, as SQLite's own waiting would.
 * Gives up with the last failure.
 */
export async function retryWhileBusy<T>({ env, patienceMs, attempt }: RetryOptions<T>): Promise<T> {
  const startMs = env.monotonicMs();
  for (let tries = 0; ; tries += 1) {
    try {
      return attempt();
    } catch (error) {
      if (failureOf(error) !== 'busy' || env.monotonicMs() - startMs >= patienceMs) throw error;
    }
    if (tries < eagerTries) await new Promise<void>((resolve) => env.nextTick(resolve));
    // With jitter, or processes that met once would meet at every try.
    else await env.clock.sleep(1 + env.random() * Math.min(2 ** (tries - eagerTries), longestPauseMs));
  }
}
