import type { Env } from '../../env/env.ts';
import { backoffMs } from '../../time/backoff.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { reason } from '../store-fault.ts';

const firstWaitMs = 100;
const longestWaitMs = 5_000;

interface ReopenOptions {
  /** The driver that failed. */
  readonly driver: StoreDriver;
  readonly open: () => Promise<StoreDriver>;
  readonly env: Env;
  /** Stops reopening. */
  readonly signal: AbortSignal;
}

/** Reopens a store that can no longer be trusted. Retries until it succeeds. @throws the signal's reason */
export async function reopenDriver({ driver, open, env, signal }: ReopenOptions): Promise<StoreDriver> {
  // Ignore its error: it is closed because it failed.
  await driver.close().catch(() => undefined);
  for (let attempt = 1; ; attempt += 1) {
    const waitMs = backoffMs({ attempt, backoffMs: firstWaitMs, factor: 2, random: env.random });
    await env.clock.sleep(Math.min(waitMs, longestWaitMs), signal);
    try {
      return await open();
    } catch (error) {
      if (attempt === 1) env.warn(`The store could not be reopened yet (${reason(error)}). Holdfast keeps trying.`);
    }
  }
}
