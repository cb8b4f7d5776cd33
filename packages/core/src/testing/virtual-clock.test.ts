import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { virtualClock } from './virtual-clock.ts';

describe('virtualClock()', () => {
  test('stands still until it is advanced', async () => {
    const clock = virtualClock(new Date(1_000));
    expect(clock.now()).toBe(1_000);
    await clock.advance('1.5s');
    expect(clock.now()).toBe(2_500);
    await clock.advance(0);
    expect(clock.now()).toBe(2_500);
    expect(virtualClock().now()).toBe(Date.UTC(2000, 0, 1));
  });

  test('ends sleeps in the order they are due, then in the order they began', async () => {
    const clock = virtualClock(new Date(0));
    const woken: string[] = [];
    const sleep = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms);
      woken.push(`${name}@${clock.now()}`);
    };
    const all = [sleep('c', 30), sleep('a', 10), sleep('b', 20), sleep('a2', 10), sleep('late', 100)];
    await clock.advance(50);
    expect(woken).toEqual(['a@10', 'a2@10', 'b@20', 'c@30']);
    expect(clock.now()).toBe(50);
    await clock.advance(50);
    expect(woken.at(-1)).toBe('late@100');
    await Promise.all(all);
  });

  test('wakes again in the same advance whoever lies down again', async () => {
    const clock = virtualClock(new Date(0));
    const ticks: number[] = [];
    const loop = async (): Promise<void> => {
      for (let tick = 0; tick < 5; tick++) {
        await clock.sleep(10);
        await new Promise(setImmediate);
        ticks.push(clock.now());
      }
    };
    const looping = loop();
    await clock.advance(35);
    expect(ticks).toEqual([10, 20, 30]);
    await clock.advance('1m');
    expect(ticks).toEqual([10, 20, 30, 40, 50]);
    await looping;
  });

  test('lets whoever is about to sleep do so before time moves', async () => {
    const clock = virtualClock(new Date(0));
    let woken = 0;
    const soon = Promise.resolve()
      .then(() => clock.sleep(10))
      .then(() => (woken = clock.now()));
    await clock.advance(100);
    await soon;
    expect(woken).toBe(10);
  });

  test('advances one after the other', async () => {
    const clock = virtualClock(new Date(0));
    const woken: number[] = [];
    const sleeping = clock.sleep(15).then(() => woken.push(clock.now()));
    await Promise.all([clock.advance(10), clock.advance(10)]);
    await sleeping;
    expect(woken).toEqual([15]);
    expect(clock.now()).toBe(20);
  });

  test('does not sleep for no time', async () => {
    const clock = virtualClock();
    await clock.sleep(0);
    await clock.sleep(-1);
    await clock.sleep(Number.NaN);
    expect(clock.now()).toBe(Date.UTC(2000, 0, 1));
  });

  test('rejects with the reason of an aborted sleep and forgets it', async () => {
    const clock = virtualClock(new Date(0));
    const controller = new AbortController();
    const kept = clock.sleep(20, controller.signal).then(() => 'kept', String);
    const { signal } = new AbortController();
    const other = clock.sleep(5, signal);
    await clock.advance(5);
    await other;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    controller.abort('enough');
    await expect(kept).resolves.toBe('enough');
    await clock.advance(100);
    await expect(clock.sleep(5, controller.signal)).rejects.toBe('enough');
  });

  test('refuses to go back', () => {
    expect(() => virtualClock().advance(-1)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });
});
