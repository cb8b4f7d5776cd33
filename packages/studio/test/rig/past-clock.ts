// A clock that is behind: what runs by it happened some time ago.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from 'holdfast';

/** The clock of an engine that tells what happened `ms` milliseconds ago. It runs as fast as any other. */
export function pastClock(ms: number): Clock {
  return {
    now: () => Date.now() - ms,
    sleep: (forMs, signal, options) => pause(forMs, undefined, { signal, ref: options?.background !== true }),
  };
}
