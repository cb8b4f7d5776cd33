import { WakeTimers } from '../../src/engine/lease/timer/wake-timers.ts';
import type { Mutant } from './mutant.ts';
import { here } from './scene.ts';

/** Workers that forget to wake a run: it is found much later, by asking anyway. */
export const timerMutants: readonly Mutant[] = [
  {
    name: 'a wake timer that is dropped because its time has come',
    setting: 'embedded',
    patch: () => {
      const before = Object.getOwnPropertyDescriptor(WakeTimers.prototype, 'set') as PropertyDescriptor;
      const set = before.value as WakeTimers['set'];
      const value = function setLater(this: WakeTimers, runId: string, wakeAt: number): void {
        if (wakeAt > here().env.clock.now()) set.call(this, runId, wakeAt);
      };
      Object.defineProperty(WakeTimers.prototype, 'set', { ...before, value });
      return () => Object.defineProperty(WakeTimers.prototype, 'set', before);
    },
  },
];
