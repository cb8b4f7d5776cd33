import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../env/node-env.ts';
import { StoreClock } from './store-clock.ts';

/** A store clock over one that the test moves. */
function setUp() {
  const own = { ms: 1_000 };
  return { own, clock: new StoreClock({ ...nodeEnv.clock, now: () => own.ms }) };
}

describe('StoreClock', () => {
  test('is our own clock until the store has told its time', () => {
    const { own, clock } = setUp();
    expect(clock.now()).toBe(1_000);
    own.ms = 1_500;
    expect(clock.now()).toBe(1_500);
  });

  test('follows a store that is ahead or behind, however far', () => {
    for (const offset of [86_400_000, -86_400_000, 1, -1]) {
      const { own, clock } = setUp();
      clock.heard(1_000 + offset, 1_000);
      own.ms += 250;
      expect(clock.now()).toBe(1_250 + offset);
    }
  });

  test('stays where it is while the answers fit, whatever the round trips took', () => {
    const { own, clock } = setUp();
    clock.heard(5_000, 1_000);
    for (const [askedAt, told, heardAt] of [
      [1_100, 5_150, 1_200],
      [1_300, 5_300, 1_900],
      [2_000, 6_300, 2_300],
    ] as const) {
      own.ms = heardAt;
      clock.heard(told, askedAt);
      expect(clock.now() - own.ms).toBe(4_000);
    }
  });

  test('is never ahead of the store after an answer that it did not fit', () => {
    const { own, clock } = setUp();
    own.ms = 1_100;
    // The store said 3,000 at some moment between 1,000 and 1,100 of ours.
    clock.heard(3_000, 1_000);
    expect(clock.now()).toBe(3_000);
    own.ms = 1_300;
    clock.heard(3_050, 1_200);
    expect(clock.now()).toBe(3_050);
  });

  test('follows its own clock where that was set back while the store was asked', () => {
    const { own, clock } = setUp();
    own.ms = 400;
    clock.heard(2_000, 1_000);
    expect(clock.now()).toBe(1_400);
  });

  test('sleeps as our own clock does', async () => {
    const slept: number[] = [];
    await new StoreClock({ ...nodeEnv.clock, sleep: async (ms) => void slept.push(ms) }).sleep(1e9);
    expect(slept).toEqual([1e9]);
  });
});
