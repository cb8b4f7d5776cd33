import type { Clock } from '../time/clock.ts';
import { nodeClock } from './node-clock.ts';

/** How long a sleep takes in real time when the clock has not moved. */
const leastMs = 1;

/**
 * A user's clock whose sleeps always yield to the event loop. With one that resolves at once, a loop that waits (for the
 * next heartbeat, for a locked database) would block the event loop for ever.
 */
export function yieldingClock(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    sleep: async (ms, signal, options) => {
      const until = clock.now() + ms;
      await clock.sleep(ms, signal, options);
      if (clock.now() < until) await nodeClock.sleep(leastMs, signal, options);
    },
  };
}
