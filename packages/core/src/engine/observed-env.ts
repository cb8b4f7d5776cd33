import type { Env } from '../env/env.ts';
import { logLevels, sinkOf } from '../env/observe/log-sink.ts';
import { Observation } from '../env/observe/observation.ts';
import type { Log, Observer } from '../env/observe/observer.ts';
import { checkOptions, invalidOption } from '../value/check/check-options.ts';

interface Observed {
  readonly observe?: Observer | undefined;
  readonly log?: Log | undefined;
}

/** An environment that tells an observer and a log what happens. Without them, the same one. @throws HOLDFAST_INVALID_OPTION */
export function observedEnv(env: Env, { observe: observer, log }: Observed): Env {
  if (observer === undefined && log === undefined) return env;
  if (observer !== undefined) checkOptions('observe', observer, { span: true, event: true });
  if (log !== undefined) checkLog(log);
  const observe = new Observation({
    observer: observer ?? {},
    log: log === undefined ? undefined : sinkOf(log),
    warn: (message) => env.warn(message),
    now: () => env.clock.now(),
    nextTick: (callback) => env.nextTick(callback),
  });
  return { ...env, observe, warn: (message, about) => observe.warn(message, about) };
}

function checkLog(log: Log): void {
  if (typeof log === 'function' || (typeof log === 'object' && log !== null)) return;
  const levels: readonly unknown[] = [...logLevels, 'silent'];
  if (levels.includes(log)) return;
  throw invalidOption(
    'log',
    `log must be a level (${levels.join(', ')}), a function, or an object with a method per level.`,
  );
}
