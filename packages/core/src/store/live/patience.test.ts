import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { Patience } from './patience.ts';

/** Waits take only the time of a clock of their own, and are written down. */
function setUp(ms: number) {
  const waits: number[] = [];
  const closing = new AbortController();
  let nowMs = 0;
  const clock = {
    now: () => nowMs,
    sleep: async (waitMs: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      waits.push(waitMs);
      nowMs += waitMs;
    },
  };
  const env = { ...nodeEnv, clock, random: () => 0.5 };
  return { waits, closing, clock, patience: new Patience(env, ms, closing.signal) };
}

describe('Patience', () => {
  test('waits longer each time, and never past its end', async () => {
    const { waits, patience } = setUp(5_000);
    while (await patience.waitsAgain());
    expect(waits.slice(0, 3).every((wait, at) => at === 0 || wait > (waits[at - 1] as number))).toBe(true);
    expect(Math.max(...waits)).toBeLessThanOrEqual(500);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(5_000);
    expect(waits.length).toBeGreaterThan(5);
  });

  test('says how much of it is left', async () => {
    const { waits, patience } = setUp(5_000);
    await patience.waitsAgain();
    expect(patience.leftMs).toBe(5_000 - (waits[0] as number));
    expect(setUp(-1).patience.leftMs).toBe(0);
  });

  test('does not wait once the store is closed, or when it closes meanwhile', async () => {
    const { closing, patience, waits, clock } = setUp(5_000);
    clock.sleep = async (_: number, signal?: AbortSignal) => {
      closing.abort();
      signal?.throwIfAborted();
    };
    expect(await patience.waitsAgain()).toBe(false);
    expect(await patience.waitsAgain()).toBe(false);
    expect(waits).toEqual([]);
  });
});

test('ends although the clock stands still', async () => {
  const clock = { now: () => 0, sleep: async () => {} };
  const patience = new Patience({ ...nodeEnv, clock, random: () => 0 }, 1_000, new AbortController().signal);
  let waits = 0;
  while (await patience.waitsAgain()) waits += 1;
  expect(waits).toBe(5);
  expect(patience.leftMs).toBe(380);
});
