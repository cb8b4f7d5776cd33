import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { memoryPlace, turns } from './every-place.ts';

/** Collects all garbage. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
}

test('what the body of a waiting run held is let go of when it parks', async () => {
  const held: WeakRef<object>[] = [];
  const waiting = workflow(
    'waiting',
    { input: z.object({}), asks: { ok: { show: z.string(), answer: z.boolean() } } },
    async (_, { ask }) => {
      const large = { bytes: new Uint8Array(1_000) };
      held.push(new WeakRef(large));
      const isFine = await ask('ok', 'Shall I?');
      return isFine ? large.bytes.length : 0;
    },
  );
  const engine = await memoryPlace().open();
  for (let count = 0; count < 3; count += 1) {
    const run = await engine.start(waiting, {});
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
  }
  // A reference that was just made or read holds until the end of the turn.
  await turns();
  collect();
  expect(held).toHaveLength(3);
  expect(held.filter((each) => each.deref() !== undefined)).toEqual([]);
});
