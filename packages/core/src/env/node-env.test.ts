import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { nodeEnv } from './node-env.ts';

const { clock } = nodeEnv;

afterEach(() => {
  vi.useRealTimers();
});

describe('nodeEnv.clock', () => {
  test('tells the time', () => {
    const before = Date.now();
    const now = clock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  test('sleeps', async () => {
    const { signal } = new AbortController();
    // Exactly the longest delay of a Node timer; the clock may be a few milliseconds early or late.
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, 20);
    await clock.sleep(20, signal);
    expect(isOver).toBe(true);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await clock.sleep(-5);
  });

  test('sleeps longer than a timer can', async () => {
    vi.useFakeTimers();
    const day = 86_400_000;
    let awake = false;
    const sleeping = clock.sleep(60 * day).then(() => {
      awake = true;
    });
    await vi.advanceTimersByTimeAsync(60 * day - 1);
    expect(awake).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    await sleeping;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('rejects with the reason when aborted, and keeps no timer', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const sleeping = clock.sleep(60_000, controller.signal);
    controller.abort('enough');
    await expect(sleeping).rejects.toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
    await expect(clock.sleep(1, AbortSignal.abort('before'))).rejects.toBe('before');
  });
});

describe('nodeEnv.nextTick()', () => {
  test('calls back after the microtasks of this tick', async () => {
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      nodeEnv.nextTick(() => {
        order.push('turn');
        resolve();
      });
      queueMicrotask(() => order.push('microtask'));
    });
    expect(order).toEqual(['microtask', 'turn']);
  });
});

describe('nodeEnv.random()', () => {
  test('returns different, evenly distributed numbers from 0 to below 1', () => {
    const numbers = Array.from({ length: 20_000 }, nodeEnv.random);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toBeCloseTo(0.5, 1);
  });
});

describe('nodeEnv.monotonicMs()', () => {
  test('never goes back', () => {
    const first = nodeEnv.monotonicMs();
    expect(nodeEnv.monotonicMs()).toBeGreaterThanOrEqual(first);
  });
});

describe('nodeEnv.warn()', () => {
  test('warns as Node does', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    nodeEnv.warn('a snapshot was passed over');
    await expect(warned).resolves.toMatchObject({ name: 'HoldfastWarning', message: 'a snapshot was passed over' });
    write.mockRestore();
  });
});
