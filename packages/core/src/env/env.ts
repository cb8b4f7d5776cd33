import type { Clock } from '../time/clock.ts';
import type { CallScope } from './call-scope.ts';
import type { Files } from './files.ts';

/**
 * All that core takes from the outside world, in one seam, so that a seeded simulation can drive it:
 * time, turns of the event loop, randomness and files.
 */
export interface Env {
  readonly clock: Clock;
  /** Calls back in a later turn of the event loop, after the I/O that is ready now. */
  readonly nextTick: (callback: () => void) => void;
  /** A number of at least 0 and below 1. */
  readonly random: () => number;
  /** Milliseconds that never go back: for measuring how long something took. */
  readonly monotonicMs: () => number;
  readonly files: Files;
  /** On whose behalf code runs. */
  readonly calls: CallScope;
  /** Tells the person who runs the process of something that was mended but should be known. */
  readonly warn: (message: string) => void;
}
