import type { Clock } from '../time/clock.ts';
import type { CallScope } from './call-scope.ts';
import type { Files } from './files.ts';
import type { Machine } from './machine.ts';
import type { Observation } from './observe/observation.ts';
import type { Warning } from './observe/observer.ts';

/**
 * Everything that core needs from the outside world: time, ticks of the event loop, randomness, files and processes. A seeded
 * simulation replaces it.
 */
export interface Env {
  readonly clock: Clock;
  /** Calls back in a later tick of the event loop, after the I/O that is ready now. */
  readonly nextTick: (callback: () => void) => void;
  /** A number of at least 0 and below 1. */
  readonly random: () => number;
  /** A monotonic time in milliseconds, for measuring durations. */
  readonly monotonicMs: () => number;
  readonly files: Files;
  /** Which processes of this machine live. */
  readonly machine: Machine;
  /** Tracks which owner the current code runs for. */
  readonly calls: CallScope;
  /** Warns the operator about something that was repaired but should be known. */
  readonly warn: (message: string, about?: Warning) => void;
  /** Who observes the engine. Undefined: nobody. */
  readonly observe?: Observation | undefined;
}
