import type { Env } from '../../env/env.ts';

/**
 * The environment of a run that the store has called due: with a clock that is behind the store's, its executor would find
 * nothing to do, and let go of it, and take it again, for ever.
 */
export function notBefore(env: Env, atMs: number): Env {
  const { clock } = env;
  const behindMs = atMs - clock.now();
  if (behindMs <= 0) return env;
  return { ...env, clock: { now: () => clock.now() + behindMs, sleep: (ms, signal) => clock.sleep(ms, signal) } };
}
