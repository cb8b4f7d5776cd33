import { expect, test } from 'vitest';
import { deferred } from '../async/deferred.ts';
import { never } from '../async/never.ts';
import { virtualClock } from '../testing/virtual-clock.ts';
import { settledWithin } from './settled-within.ts';

test('is true if the promise has already resolved', async () => {
  const clock = virtualClock();
  const { promise, resolve } = deferred();
  const settled = settledWithin(promise, { clock, ms: 100 });
  await clock.advance(99);
  resolve();
  expect(await settled).toBe(true);
});

test('is false after the time is up', async () => {
  const clock = virtualClock();
  const settled = settledWithin(never(), { clock, ms: 100 });
  await clock.advance(100);
  expect(await settled).toBe(false);
});

test('rejects like the promise', async () => {
  const clock = virtualClock();
  await expect(settledWithin(Promise.reject(new Error('no')), { clock, ms: 100 })).rejects.toThrow('no');
});

test('ends when its signal aborts, even if it already has', async () => {
  const clock = virtualClock();
  const stop = new AbortController();
  const settled = settledWithin(never(), { clock, ms: 100, signal: stop.signal });
  stop.abort();
  expect(await settled).toBe(true);
  expect(await settledWithin(never(), { clock, ms: 100, signal: stop.signal })).toBe(true);
});

test('leaves no timer behind', async () => {
  let sleeping = 0;
  const clock = {
    now: () => 0,
    sleep: (_ms: number, signal?: AbortSignal) => {
      sleeping += 1;
      return new Promise<void>((_, reject) => {
        signal?.addEventListener('abort', () => {
          sleeping -= 1;
          reject(signal.reason as Error);
        });
      });
    },
  };
  await settledWithin(Promise.resolve(), { clock, ms: 100 });
  await settledWithin(Promise.reject(new Error('no')), { clock, ms: 100 }).catch(() => undefined);
  expect(sleeping).toBe(0);
});
