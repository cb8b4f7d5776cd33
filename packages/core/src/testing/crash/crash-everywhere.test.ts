import { expect, test } from 'vitest';
import { z } from 'zod';
import { counter } from '../../channel/counter.ts';
import { list } from '../../channel/list.ts';
import { graph } from '../../graph/graph.ts';
import { workflow } from '../../graph/workflow.ts';
import { crashEverywhere } from './crash-everywhere.ts';

const sound = graph('sound', {
  state: { sum: counter(), log: list<string>() },
  asks: { ok: { show: z.string(), answer: z.boolean() } },
})
  .node('left', async ({ step }) => ({ sum: await step('one', () => 1), log: 'left' }))
  .node('right', async ({ step, sleep }) => {
    const two = await step('two', () => 2);
    await sleep('nap', '7d');
    return { sum: two + (await step('three', () => 3, { effect: 'once' })), log: 'right' };
  })
  .node('ask', async ({ ask }) => ({ log: `said ${await ask('ok', 'q')}` }))
  .edge('start', ['left', 'right'])
  .edge(['left', 'right'], 'ask')
  .edge('ask', 'end')
  .compile();

test('a sound graph comes to the same wherever it is crashed', async () => {
  const { crashes, outcome } = await crashEverywhere(
    sound,
    {},
    {
      onIdle: async (run, waits) => {
        for (const wait of waits) {
          if (wait.kind === 'ask') await run.answer('ok', true);
          if (wait.kind === 'effect') await run.settle(wait.key, { result: 3 });
        }
      },
    },
  );
  expect(outcome).toMatchObject({ status: 'completed', state: { sum: 6, log: ['left', 'right', 'said true'] } });
  expect(crashes).toBeGreaterThan(10);
});

test('a run that depends on how often its body ran is found', async () => {
  let bodies = 0;
  const counting = workflow('counting', { input: z.object({}) }, async (_, { step }) => {
    bodies += 1;
    await step('a', () => 1);
    await step('b', () => 2);
    return bodies;
  });
  await expect(crashEverywhere(counting, {})).rejects.toMatchObject({ code: 'HOLDFAST_CRASHED' });
});

test('a step whose name changes from try to try is found to run again', async () => {
  let tries = 0;
  const renaming = workflow('renaming', { input: z.object({}) }, async (_, { step }) => {
    tries += 1;
    await step(`call ${tries}`, () => 1, { effect: 'once' });
    await step('then', () => 2, { effect: 'once' });
  });
  await expect(crashEverywhere(renaming, {}, { onIdle: settleAll })).rejects.toMatchObject({
    code: 'HOLDFAST_CRASHED',
    message: expect.stringContaining('ran again'),
  });
});

test('a step that may not repeat is found when it was cut in the middle', async () => {
  const cut = workflow('cut', { input: z.object({}) }, async (_, { step }) => {
    await step('a', () => 1);
    return step('b', () => 2);
  });
  expect(await crashEverywhere(cut, {})).toMatchObject({ outcome: { output: 2 } });
  expect(await crashEverywhere(cut, {}, { mayRepeat: () => true })).toMatchObject({ outcome: { output: 2 } });
  await expect(crashEverywhere(cut, {}, { mayRepeat: (step) => step !== 'a' })).rejects.toMatchObject({
    message: expect.stringContaining('step a ran again'),
  });
});

async function settleAll(
  run: { settle(key: string, outcome: { readonly result: unknown }): Promise<void> },
  waits: readonly object[],
): Promise<void> {
  for (const wait of waits) if ('key' in wait) await run.settle(wait.key as string, { result: 1 });
}
