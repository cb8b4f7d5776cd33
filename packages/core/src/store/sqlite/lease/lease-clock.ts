import { readFileSync } from 'node:fs';
import type { Env } from '../../../env/env.ts';
import { nodeEnv } from '../../../env/node-env.ts';

/** The one clock by which all processes of a machine count their leases. */
export interface LeaseClock {
  /** Names the count: times of another one say nothing, and its leases have ended. */
  readonly boot: string;
  /** In milliseconds. */
  now(): number;
}

/**
 * The time since the machine was started, which all its processes share and nobody can set; a wall clock that is
 * stepped never ends a lease early. Where the machine does not say which start that was, the wall clock; where the
 * caller brought a clock, that one.
 */
export function leaseClockOf(env: Env, bootIdFile = '/proc/sys/kernel/random/boot_id'): LeaseClock {
  if (env.monotonicMs !== nodeEnv.monotonicMs) return { boot: 'given', now: env.monotonicMs };
  const boot = env.clock === nodeEnv.clock ? readBootId(bootIdFile) : undefined;
  if (boot === undefined) return { boot: 'clock', now: () => env.clock.now() };
  return { boot, now: () => Number(process.hrtime.bigint()) / 1e6 };
}

function readBootId(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
