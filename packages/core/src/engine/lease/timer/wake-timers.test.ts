import { expect, test } from 'vitest';
import type { Env } from '../../../env/env.ts';
import { nodeEnv } from '../../../env/node-env.ts';
import { virtualClock } from '../../../testing/virtual-clock.ts';
import { WakeTimers } from './wake-timers.ts';

/** Timers on a virtual clock; `wake` is told the run and how often it was called before. */
function timersWith(wake: (runId: string, calls: number) => Promise<number | null>) {
  const clock = virtualClock();
  const warnings: string[] = [];
  const env: Env = { ...nodeEnv, clock, random: () => 0, warn: (message) => void warnings.push(message) };
  const woken: string[] = [];
  const timers = new WakeTimers(env, async (runId) => {
    woken.push(runId);
    return wake(runId, woken.length - 1);
  });
  return { clock, timers, woken, warnings };
}

test('each run is woken once, when its time has come', async () => {
  const { clock, timers, woken } = timersWith(async () => null);
  const start = clock.now();
  timers.set('later', start + 2_000);
  timers.set('soon', start + 1_000);
  await clock.advance(1_000);
  expect(woken).toEqual(['soon']);
  await clock.advance(5_000);
  expect(woken).toEqual(['soon', 'later']);
});

test('a wake-up that fails is repeated', async () => {
  const { clock, timers, woken } = timersWith(async (_, calls) => {
    if (calls < 3) throw new Error('the store is away');
    return null;
  });
  timers.set('run', clock.now() + 1_000);
  await clock.advance(10_000);
  expect(woken).toEqual(['run', 'run', 'run', 'run']);
});

test('a wake-up that always fails is given up, and said so', async () => {
  const { clock, timers, woken, warnings } = timersWith(() => Promise.reject(new Error('the store is away')));
  timers.set('run', clock.now() + 1_000);
  await clock.advance(24 * 3_600_000);
  expect(woken).toHaveLength(21);
  expect(warnings).toEqual([expect.stringContaining('run')]);
});

test('a run that the store does not call due yet is woken again at its time', async () => {
  const { clock, timers, woken } = timersWith(async (_, calls) => (calls === 0 ? start + 3_000 : null));
  const start = clock.now();
  timers.set('run', start + 1_000);
  await clock.advance(2_000);
  expect(woken).toEqual(['run']);
  await clock.advance(2_000);
  expect(woken).toEqual(['run', 'run']);
});

test('a run that is executing, and a closed engine, wake no run', async () => {
  const { clock, timers, woken } = timersWith(async () => null);
  timers.set('run', clock.now() + 1_000);
  timers.clear('run');
  timers.set('other', clock.now() + 1_000);
  timers.close();
  timers.set('late', clock.now());
  await clock.advance(5_000);
  expect(woken).toEqual([]);
});

test('a due run that could not be woken yet is woken again', async () => {
  const { clock, timers, woken } = timersWith(async (_, calls) => (calls === 0 ? clock.now() : null));
  await timers.wake('run');
  await clock.advance(2_000);
  expect(woken).toEqual(['run', 'run']);
});

test('all runs can be forgotten', async () => {
  const { clock, timers, woken } = timersWith(async () => null);
  timers.set('run', clock.now() + 1_000);
  timers.clearAll();
  timers.set('other', clock.now() + 1_000);
  await clock.advance(5_000);
  expect(woken).toEqual(['other']);
});
