import { WakeTimers } from '../../src/engine/lease/timer/wake-timers.ts';
import type { Mutant } from './mutant.ts';
import { payloadOf, rewriting } from './rewriting.ts';
import { here } from './scene.ts';

/** Workers that forget to wake a run, which is found much later by asking anyway, or that tell of a time that no clock has. */
export const timerMutants: readonly Mutant[] = [
  {
    name: 'a wait until after the last date',
    engine: rewriting((entry) => {
      const { until } = payloadOf(entry);
      const isEndless = entry.kind === 'wait' && typeof until === 'number' && until > 1e15;
      return isEndless ? { ...entry, payload: { ...payloadOf(entry), until: Number.MAX_SAFE_INTEGER } } : entry;
    }),
  },
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
