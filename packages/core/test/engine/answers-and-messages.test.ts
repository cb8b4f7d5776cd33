import { graph, list, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, memoryPlace } from './every-place.ts';

const none = z.object({});
const yesNo = { show: z.string(), answer: z.boolean() };

describe('answers', () => {
  const questions = graph('questions', {
    state: { said: list<boolean>() },
    asks: { ok: yesNo },
  })
    .each(
      'ask',
      () => [0, 1],
      async (item, { ask }) => ({ said: await ask('ok', `item ${item}`) }),
    )
    .edge('start', 'ask')
    .edge('ask', 'end')
    .compile();

  test('without an id are refused when several questions of the name are open, with the ids', async () => {
    const engine = await memoryPlace().open();
    const run = await engine.start(questions, {});
    const outcome = await run.outcome();
    if (outcome.status !== 'waiting') throw new Error(outcome.status);
    const ids = outcome.waits.map(({ id }) => id);
    await expect(run.answer('ok', true)).rejects.toMatchObject({ code: 'HOLDFAST_AMBIGUOUS', details: { ids } });
    await run.answer('ok', false, { id: ids[1] as string });
    await run.answer('ok', true);
    expect(await run.result()).toMatchObject({ said: [true, false] });
  });

  test('the same again is fine, another is refused and told who won', async () => {
    const one = workflow('one', { input: none, asks: { ok: yesNo }, receives: { go: z.number() } }, async (_, c) => {
      const ok = await c.ask('ok', 'q');
      await c.receive('go');
      return ok;
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(one, {});
    await run.outcome();
    await run.answer('ok', true, { by: 'ada' });
    await run.answer('ok', true, { by: 'bob' });
    await expect(run.answer('ok', false)).rejects.toMatchObject({
      code: 'HOLDFAST_ALREADY_ANSWERED',
      details: { by: 'ada' },
    });
    await run.send('go', 1);
    expect(await run.result()).toBe(true);
  });

  test('are validated before they are journalled', async () => {
    const engine = await memoryPlace().open();
    const run = await engine.start(questions, {});
    await run.outcome();
    const { head } = await run.summary();
    await expect(run.answer('ok', 'yes' as never)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
    await expect(run.answer('other' as never, true as never)).rejects.toMatchObject({
      code: 'HOLDFAST_UNKNOWN_QUESTION',
    });
    expect((await run.summary()).head).toBe(head);
  });

  test('given without the code are looked at by whoever executes the run', async () => {
    const one = workflow('one', { input: none, asks: { ok: yesNo } }, (_, { ask }) => ask('ok', 'q'));
    const here = memoryPlace();
    const web = await here.open({ executes: false });
    const worker = await here.open({ graphs: [one] });
    await worker.start(one, {}, { id: 'r' });
    await (await worker.get(one, 'r')).outcome();
    const run = await web.get('r');
    await run.answer('ok', 'maybe');
    await worker.recover();
    const seen = await worker.get(one, 'r');
    expect(await seen.outcome()).toMatchObject({ status: 'waiting', waits: [{ name: 'ok' }] });
    expect((await all(seen.events({ until: 'idle' }))).filter(({ type }) => type === 'refused')).toHaveLength(1);
    await run.answer('ok', false, { by: 'eve' });
    await worker.recover();
    expect(await seen.result()).toBe(false);
    expect(await run.outcome()).toMatchObject({ status: 'completed' });
  });
});

describe('messages', () => {
  test('are taken first in, first out, and each once', async () => {
    const inbox = workflow('inbox', { input: none, receives: { mail: z.number() } }, async (_, { receive }) => {
      const got = [await receive('mail')];
      got.push(await receive('mail'));
      got.push(await receive('mail'));
      return got;
    });
    const engine = await memoryPlace().open();
    const run = await engine.start(inbox, {});
    await run.send('mail', 1, { id: 'm1' });
    await run.send('mail', 1, { id: 'm1' });
    await run.send('mail', 2);
    await expect(run.send('mail', 9, { id: 'm1' })).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
    await expect(run.send('mail', 'x' as never)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
    await run.outcome();
    await run.send('mail', 3);
    expect(await run.result()).toEqual([1, 2, 3]);
    await expect(run.send('mail', 4)).rejects.toMatchObject({ code: 'HOLDFAST_RUN_ENDED' });
  });
});
