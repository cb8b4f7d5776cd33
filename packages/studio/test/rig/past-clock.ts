// A clock that is behind: what runs by it happened some time ago.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from 'holdfast';

/** The clock of an engine that tells what happened `ms` milliseconds ago. It runs as fast as any other. */
export function pastClock(ms: number): Clock {
  return {
    now: () => Date.now() - ms,
    async sleep(forMs, signal, options) {
      try {
        await pause(forMs, undefined, { signal, ref: options?.background !== true });
      } catch (error) {
        throw signal?.aborted === true ? signal.reason : error;
      }
    },
  };
}
