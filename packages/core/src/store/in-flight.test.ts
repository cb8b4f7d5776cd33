import { describe, expect, test } from 'vitest';
import { UnderWay } from './in-flight.ts';

describe('UnderWay', () => {
  test('has none under way at first', async () => {
    await expect(new UnderWay().none()).resolves.toBeUndefined();
  });

  test('waits until the last has settled, also one that failed', async () => {
    const underWay = new UnderWay();
    const ends: (() => void)[] = [];
    const first = underWay.count(() => new Promise<string>((resolve) => ends.push(() => resolve('done'))));
    const second = underWay.count(() => new Promise<string>((_, reject) => ends.push(() => reject(new Error('no')))));
    let none = 0;
    const waits = [underWay.none(), underWay.none()].map((wait) => wait.then(() => (none += 1)));
    ends[0]?.();
    await expect(first).resolves.toBe('done');
    expect(none).toBe(0);
    ends[1]?.();
    await expect(second).rejects.toThrow('no');
    await Promise.all(waits);
    expect(none).toBe(2);
  });

  test('counts a call that fails at once', async () => {
    const underWay = new UnderWay();
    const call = underWay.count(() => {
      throw new Error('at once');
    });
    await expect(call).rejects.toThrow('at once');
    await underWay.none();
  });
});
