// What it costs that a body runs again, counted in ticks of the event loop. `npm run bench -- loops` measures the time.
import { again, workflow } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openEngineIn } from '../../src/engine/open.ts';
import { nodeEnv } from '../../src/env/node-env.ts';

/** An engine whose ticks are counted. */
async function counted() {
  const ticks = { count: 0 };
  const nextTick = (callback: () => void): void => {
    ticks.count += 1;
    nodeEnv.nextTick(callback);
  };
  return { ticks, engine: await openEngineIn({ ...nodeEnv, nextTick }, memoryStore()) };
}

/** The ticks from an answer to the end of a body that has recorded so many calls before it asked. */
async function ticksOfReplay(calls: number): Promise<number> {
  const { ticks, engine } = await counted();
  const body = workflow('body', { input: z.null(), asks: { go: z.boolean() } }, async (_, { ask, step }) => {
    for (let call = 0; call < calls; call += 1) await step('call', () => call);
    return ask('go');
  });
  const run = await engine.start(body, null);
  await run.outcome();
  const before = ticks.count;
  await run.answer('go', true);
  await run.result();
  const taken = ticks.count - before;
  await engine.close();
  return taken;
}

describe('a body that runs again', () => {
  test('replays ten times as many calls in at most twelve times as many ticks', async () => {
    const few = await ticksOfReplay(50);
    expect(few).toBeGreaterThan(0);
    expect((await ticksOfReplay(500)) / few).toBeLessThanOrEqual(12);
  });

  test.each([
    ['all of its rounds without again', 60, 60],
    ['those since the last again', 10, 60],
  ])('replays %s', async (_, perInput, rounds) => {
    const { engine } = await counted();
    let asked = 0;
    const loop = workflow('loop', { input: z.number() }, async (done, { sleep, step }) => {
      for (let round = done; round < done + perInput; round += 1) {
        asked += 1;
        await step('work', () => round);
        await sleep(0);
      }
      return done + perInput < rounds ? again(done + perInput) : 'done';
    });
    expect(await engine.start(loop, 0).result()).toBe('done');
    // Each sleep makes the body run again from its top: n rounds of one input ask for 1 + 2 + … + n + n steps.
    expect(asked).toBe((rounds / perInput) * ((perInput * (perInput + 1)) / 2 + perInput));
    await engine.close();
  });
});
