import { nodeEnv } from '../env/node-env.ts';
import type { Clock } from '../time/clock.ts';
import { type Duration, durationMs } from '../time/duration.ts';

/** Time that moves only when told to. */
export interface VirtualClock extends Clock {
  /**
   * Moves time on, waking every sleeper at its own moment and in order, also those that lie down again on the way. Before
   * time moves, the woken have some turns of the event loop, and the file operations in flight end.
   */
  advance(by: Duration): Promise<void>;
}

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** Turns of the event loop that a woken sleeper has for its work before time moves on. */
const turnsBetweenWakes = 16;
/** A file operation may never end, such as the read of a pipe: time does not wait longer than this many milliseconds. */
const mostPauses = 1_000;
const defaultStart = new Date('2000-01-01T00:00:00Z');

/**
 * Time that moves only when told to; sleeps, backoffs, deadlines and leases follow it.
 *
 * @example
 * ```ts
 * const clock = virtualClock();
 * const timed = await openEngine('memory:', { clock });
 * await timed.start(refunds, { order: 'ord-81' });
 * await clock.advance('7d'); // sleeps, backoffs and deadlines of a week are over
 * ```
 */
export function virtualClock(start: Date = defaultStart): VirtualClock {
  /** By the moment they are due, then in the order they lay down. */
  const sleepers: Sleeper[] = [];
  let nowMs = start.getTime();
  let advanced = Promise.resolve();

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      if (!(ms > 0)) {
        resolve();
        return;
      }
      const abort = (): void => {
        sleepers.splice(sleepers.indexOf(sleeper), 1);
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { dueMs: nowMs + ms, wake };
      signal?.addEventListener('abort', abort, { once: true });
      sleepers.splice(sleepers.findLastIndex(({ dueMs }) => dueMs <= sleeper.dueMs) + 1, 0, sleeper);
    });
  }

  async function advanceTo(untilMs: number): Promise<void> {
    await settle();
    for (let [next] = sleepers; next !== undefined && next.dueMs <= untilMs; [next] = sleepers) {
      sleepers.shift();
      nowMs = next.dueMs;
      next.wake();
      await settle();
    }
    nowMs = untilMs;
  }

  return {
    now: () => nowMs,
    sleep,
    advance: (by) => {
      const ms = durationMs(by);
      advanced = advanced.then(() => advanceTo(nowMs + ms));
      return advanced;
    },
  };
}

/** Calls over a network that virtual time waits for. */
let callsInFlight = 0;

/** Holds virtual time until a call over a network has ended: how long that takes has nothing to do with turns either. */
export async function holdTime<T>(call: Promise<T>): Promise<T> {
  callsInFlight += 1;
  try {
    return await call;
  } finally {
    callsInFlight -= 1;
  }
}

/** Lets the woken do their work. A store on disk takes as long as its files do, which has nothing to do with turns. */
async function settle(): Promise<void> {
  let pauses = 0;
  for (let quiet = 0; quiet < turnsBetweenWakes; quiet += 1) {
    await new Promise(setImmediate);
    const isCalling = callsInFlight > 0;
    if (!isCalling && (!isAtFiles() || pauses === mostPauses)) continue;
    await nodeEnv.clock.sleep(1);
    if (!isCalling) pauses += 1;
    quiet = 0;
  }
}

function isAtFiles(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq') || resource === 'CloseReq');
}
