import { expect, test } from 'vitest';
import { virtualClock } from '../testing/virtual-clock.ts';
import { yieldingClock } from './yielding-clock.ts';

test('a sleep that resolves at once lets others have a turn', async () => {
  const clock = yieldingClock({ now: () => 0, sleep: async () => {} });
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  await clock.sleep(1_000);
  expect(hasTurned).toBe(true);
});

test('a sleep of a clock that moves takes no longer', async () => {
  const inner = virtualClock(new Date(0));
  const clock = yieldingClock(inner);
  let isAwake = false;
  const sleeping = clock.sleep(1_000).then(() => {
    isAwake = true;
  });
  await inner.advance(999);
  expect(isAwake).toBe(false);
  await inner.advance(1);
  expect(isAwake).toBe(true);
  expect(clock.now()).toBe(1_000);
  await sleeping;
});

test('an aborted sleep rejects with the reason', async () => {
  const clock = yieldingClock({ now: () => 0, sleep: async () => {} });
  await expect(clock.sleep(1, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});
