import { describe, expect, test } from 'vitest';
import { InFlight } from './in-flight.ts';

describe('InFlight', () => {
  test('has none in flight at first', async () => {
    await expect(new InFlight().none()).resolves.toBeUndefined();
  });

  test('waits until the last has settled, also one that failed', async () => {
    const inFlight = new InFlight();
    const ends: (() => void)[] = [];
    const first = inFlight.count(() => new Promise<string>((resolve) => ends.push(() => resolve('done'))));
    const second = inFlight.count(() => new Promise<string>((_, reject) => ends.push(() => reject(new Error('no')))));
    let none = 0;
    const waits = [inFlight.none(), inFlight.none()].map((wait) => wait.then(() => (none += 1)));
    ends[0]?.();
    await expect(first).resolves.toBe('done');
    expect(none).toBe(0);
    ends[1]?.();
    await expect(second).rejects.toThrow('no');
    await Promise.all(waits);
    expect(none).toBe(2);
  });

  test('counts a call that fails at once', async () => {
    const inFlight = new InFlight();
    const call = inFlight.count(() => {
      throw new Error('at once');
    });
    await expect(call).rejects.toThrow('at once');
    await inFlight.none();
  });
});
