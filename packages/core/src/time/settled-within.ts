import type { Clock } from './clock.ts';

/** An explicit reason, because abort() without one creates an exception each time, which is slow. Nobody sees it. */
const over = 'over';

interface Limits {
  readonly clock: Clock;
  readonly ms: number;
  /** Stops waiting when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Waits until the promise settles and leaves no timer behind. Returns false if the time was up first. */
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
