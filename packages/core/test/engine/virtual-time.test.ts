// The virtual clock on real stores: time waits for what the woken do to their files.
import { workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere } from './every-place.ts';

const hourMs = 3_600_000;

describeEverywhere('advance()', (place) => {
  test('fires every sleep that falls due, one after another, at its time', async () => {
    const clock = virtualClock();
    const start = clock.now();
    const naps = workflow('naps', { input: z.object({}) }, async (_, { sleep, step }) => {
      const woken: number[] = [];
      for (let at = 0; at < 5; at += 1) {
        await sleep(`nap ${at}`, hourMs);
        woken.push(await step(`wake ${at}`, () => clock.now()));
      }
      return woken;
    });
    const engine = await place().open({ clock });
    const run = await engine.start(naps, {});
    await clock.advance('10h');
    expect(clock.now()).toBe(start + 10 * hourMs);
    expect(await run.summary()).toMatchObject({ status: 'completed' });
    const hours = (await run.result()).map((at) => Math.round((at - start) / hourMs));
    expect(hours).toEqual([1, 2, 3, 4, 5]);
  });
});
