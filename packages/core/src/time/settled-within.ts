import type { Clock } from './clock.ts';

/** Without a reason an exception would be made each time, at the cost of a step. Nobody hears of this one. */
const over = 'over';

interface Limits {
  readonly clock: Clock;
  readonly ms: number;
  /** Ends the waiting too. */
  readonly signal?: AbortSignal | undefined;
}

/** Waits until the promise has settled, and leaves no timer behind. False: the time was over first. */
export async function settledWithin(promise: Promise<unknown>, { clock, ms, signal }: Limits): Promise<boolean> {
  const timer = new AbortController();
  const stop = (): void => timer.abort(over);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  let isLate = false;
  const late = clock.sleep(ms, timer.signal).then(
    () => {
      isLate = true;
    },
    () => undefined,
  );
  try {
    await Promise.race([promise, late]);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
  return !isLate;
}
