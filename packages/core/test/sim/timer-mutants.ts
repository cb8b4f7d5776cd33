import { WakeTimers } from '../../src/engine/lease/timer/wake-timers.ts';
import type { Mutant } from './mutant.ts';
import { here } from './scene.ts';

/** Workers that forget to wake a run: it is found much later, by asking anyway. */
export const timerMutants: readonly Mutant[] = [
  {
    name: 'a wake timer that is dropped because its time has come',
    setting: 'embedded',
    patch: () => {
      const { set } = WakeTimers.prototype;
      WakeTimers.prototype.set = function setLater(runId, wakeAt): void {
        if (wakeAt > here().env.clock.now()) set.call(this, runId, wakeAt);
      };
      return () => {
        WakeTimers.prototype.set = set;
      };
    },
  },
];
