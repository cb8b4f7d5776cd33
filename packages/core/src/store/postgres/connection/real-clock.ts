import type { Env } from '../../../env/env.ts';
import { nodeEnv } from '../../../env/node-env.ts';
import type { Clock } from '../../../time/clock.ts';

/** Servers and other processes live in real time, whatever clock the engine was given. Where all time is simulated, so is this. */
export function realClockOf({ clock, monotonicMs }: Pick<Env, 'clock' | 'monotonicMs'>): Clock {
  return monotonicMs === nodeEnv.monotonicMs ? nodeEnv.clock : clock;
}
