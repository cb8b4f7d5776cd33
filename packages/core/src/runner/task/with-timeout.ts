import type { Env } from '../../env/env.ts';
import type { HoldfastError } from '../../errors/holdfast-error.ts';

interface TimeoutOptions<T> {
  readonly env: Env;
  readonly timeoutMs: number | undefined;
  /** The signal of the enclosing task, read only when needed. */
  readonly outer: () => AbortSignal;
  readonly timeout: () => HoldfastError;
  readonly run: (signal: () => AbortSignal) => T | Promise<T>;
}

/** Runs something with a timeout. Then its signal aborts, it fails, and any later result is ignored. */
export async function withTimeout<T>({ env, timeoutMs, outer, timeout, run }: TimeoutOptions<T>): Promise<T> {
  if (timeoutMs === undefined) return run(outer);
  const inner = new AbortController();
  const over = new AbortController();
  const above = outer();
  const pass = (): void => inner.abort(above.reason);
  if (above.aborted) pass();
  above.addEventListener('abort', pass, { once: true });
  try {
    const expired = env.clock.sleep(timeoutMs, over.signal).then(() => {
      const error = timeout();
      inner.abort(error);
      throw error;
    });
    const work = (async () => run(() => inner.signal))();
    return await Promise.race([work, expired]);
  } finally {
    above.removeEventListener('abort', pass);
    over.abort();
  }
}
