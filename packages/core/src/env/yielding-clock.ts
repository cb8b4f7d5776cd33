import type { Clock } from '../time/clock.ts';
import { nodeClock } from './node-clock.ts';

/** How long a sleep takes in real time when the clock has not moved. */
const leastMs = 1;

/**
 * A user's clock, whose sleeps always let others have a turn. With one that resolves at once, whoever waits in a loop (for
 * the next heartbeat, for a locked database) would never let go of the event loop, and nothing would ever happen.
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
