import { setMaxListeners } from 'node:events';
import type { Clock } from '../time/clock.ts';

/** The longest delay of a Node timer. A longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The real clock. A sleep keeps the process alive, unless it is in the background. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal, { background = false } = {}) => {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      // Many sleeps may share a signal, such as the one that closes a store: that is no leak.
      if (signal !== undefined) setMaxListeners(0, signal);
      const until = performance.now() + ms;
      let timer: NodeJS.Timeout;
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const wait = (): void => {
        // Round up: timers drop the fraction and would fire early.
        const left = Math.ceil(until - performance.now());
        timer = setTimeout(left > longestTimerMs ? wait : wake, Math.min(Math.max(left, 0), longestTimerMs));
        if (background) timer.unref();
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
      wait();
    });
  },
};
