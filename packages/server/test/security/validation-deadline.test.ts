// Schemas are code: one that never answers takes its request with it, and nothing else.
import { graph, workflow } from 'holdfast';
import { expect } from 'vitest';
import { z } from 'zod';
import { testEverywhere } from '../every-store.ts';
import { openHere, served } from '../fixture.ts';

const endless = z.string().refine(async (text) => text !== 'hang' || new Promise<boolean>(() => undefined));

const slow = workflow(
  'slow',
  {
    input: z.object({ text: endless }),
    receives: { note: z.object({ text: endless }) },
    asks: { ok: { show: z.null(), answer: endless } },
  },
  async (_, { ask }) => ask('ok', null),
);

const forked = graph('forked', { state: { text: endless } })
  .node('only', async ({ sleep }) => {
    await sleep('1h');
    return {};
  })
  .edge('start', 'only')
  .edge('only', 'end')
  .compile();

testEverywhere('an input, an answer, a message and an edit whose check never ends are refused in time', async () => {
  const engine = await openHere({ graphs: [slow, forked], bounds: { validationMs: 200 } });
  const here = await served({ engine, graphs: { slow, forked } });
  await engine.start(slow, { text: 'fine' }, { id: 's' }).outcome();
  await engine.start(forked, { text: 'fine' }, { id: 'f' });
  await expect.poll(async () => (await engine.get('f').summary()).status).toBe('waiting');
  const requests = [
    ['/runs', { graph: 'slow', input: { text: 'hang' } }],
    ['/runs/s/answer', { name: 'ok', value: 'hang' }],
    ['/runs/s/send', { name: 'note', value: { text: 'hang' } }],
    ['/runs/f/fork', { set: { text: 'hang' } }],
  ] as const;
  for (const [path, body] of requests) {
    const answer = await here.ask('POST', path, body);
    expect([path, answer.status, answer.body]).toEqual([
      path,
      400,
      { error: expect.objectContaining({ code: expect.stringMatching(/^HOLDFAST_(?:TIMEOUT|INVALID_VALUE)$/u) }) },
    ]);
  }
  // The runs are as they were.
  expect((await here.ask('POST', '/runs/s/answer', { name: 'ok', value: 'yes' })).status).toBe(200);
  expect(await engine.get('s').result()).toBe('yes');
});
