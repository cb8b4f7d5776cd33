import { expect, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { DueTimer } from './due-timer.ts';

/** A clock that notes how long it was asked to sleep, and stands still after so many sleeps. */
function notingClock(sleeps: number) {
  const asked: number[] = [];
  let now = 0;
  const sleep = async (ms: number): Promise<void> => {
    if (asked.push(ms) > sleeps) throw new Error('enough');
    now += ms;
  };
  return { asked, clock: { now: () => now, sleep } };
}

test('asks less and less often while the store fails, and at once when a run is due again', async () => {
  const { asked, clock } = notingClock(9);
  const timer = new DueTimer({ ...nodeEnv, clock, random: () => 0 });
  let claims = 0;
  const claim = async (): Promise<{ readonly nextDueAt: number }> => {
    claims += 1;
    if (claims < 8) throw new Error('no answer');
    return { nextDueAt: clock.now() + 7 };
  };
  timer.start(5, claim);
  await expect.poll(() => asked.length).toBe(10);
  expect(asked).toEqual([5, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 7, 7]);
  timer.close();
});
