import { workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere } from './every-place.ts';

describeEverywhere('names of calls', (place) => {
  // A wait's name is in the run's header, which not every store and no import keeps with these characters.
  test.each(['a\0b', '\ud800'])('with characters that cannot be kept are refused at the call (%j)', async (name) => {
    const flow = workflow('flow', { input: z.null() }, async (_, { sleep, step }) => {
      await expect(sleep(name, 1)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
      await expect(step(name, () => 1)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
      return 'refused';
    });
    const engine = await place().open();
    const run = await engine.start(flow, null, { id: 'r' });
    expect(await run.result()).toBe('refused');
  });
});
