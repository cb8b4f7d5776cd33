import { workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deploy, expectRefusal, type Flow, flow, go, once, open, recordsOf } from './changing-code.ts';
import { all, describeEverywhere } from './every-place.ts';

describeEverywhere('changed code', (place) => {
  test('that renames a step never repeats its effect, and is refused where people look', async () => {
    const charged: string[] = [];
    const charges = (name: string): Flow =>
      flow(async ({ step, ask }) => {
        await step(name, () => void charged.push(name), once);
        return ask('go', '?');
      });
    const here = place();
    const { engine, run } = await deploy(here, charges('charge'), charges('charge-card'));
    await run.answer('go', true);
    const before = await recordsOf(engine);
    await expect(run.outcome()).rejects.toMatchObject({
      code: 'HOLDFAST_DIVERGED',
      message: expect.stringContaining('clock'),
      details: {
        runId: 'r',
        node: 'main',
        recorded: ['"charge" (an effect that has happened)'],
        asked: '"charge-card"',
      },
    });
    expect(charged).toEqual(['charge']);
    expect(await recordsOf(engine)).toEqual(before);
    const [summary] = await all(engine.runs());
    expect(summary).toMatchObject({ id: 'r', refusals: [{ code: 'HOLDFAST_DIVERGED' }] });
    expect(await engine.check()).toMatchObject([
      { runId: 'r', missing: [expect.stringContaining('"charge"')], refusals: [{ code: 'HOLDFAST_DIVERGED' }] },
    ]);
    await engine.close();
    const back = await open(here, charges('charge'));
    expect(await back.engine.recover()).toBe(1);
    expect(await back.run.result()).toBe(true);
    expect(charged).toEqual(['charge']);
  });

  test('that inserts a step of the same name does not get the result of the other', async () => {
    const old = flow(async ({ step, ask }) => {
      const fetched = await step('s', () => 'old');
      return [fetched, await ask('go', '?')];
    });
    const changed = flow(async ({ step, ask }) => {
      const inserted = await step('s', () => 'new');
      const fetched = await step('s', () => 'old');
      return [inserted, fetched, await ask('go', '?')];
    });
    const here = place();
    const before = await here.open();
    await (await before.start(old, {}, { id: 'r' })).outcome();
    await before.close();
    await expectRefusal(here, changed, { recorded: ['"go" (answered)'], asked: '"s" call 2' });
    const back = await open(here, old);
    await back.run.resume();
    expect(await back.run.result()).toEqual(['old', true]);
  });

  test('that makes another call of a step never gets the result of the step', async () => {
    const old = flow(async ({ step, ask }) => [await step('later', () => 'stepped'), await ask('go', '?')]);
    const here = place();
    const before = await here.open();
    await (await before.start(old, {}, { id: 'r' })).outcome();
    await before.close();
    const asked = flow(async ({ ask }) => [await ask('later', '?'), await ask('go', '?')]);
    await expectRefusal(here, asked, { recorded: ['"later" (done)'], asked: 'waits' });
    const slept = await open(
      here,
      flow(async ({ sleep, ask }) => [await sleep('later', 1), await ask('go', '?')]),
    );
    await slept.run.resume();
    await expect(slept.run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED' });
    await slept.engine.close();
    const back = await open(here, old);
    await back.run.resume();
    expect(await back.run.result()).toEqual(['stepped', true]);
  });

  test('may use one name for a step, a question, a sleep and a message', async () => {
    const shared = workflow(
      'shared',
      { input: z.object({}), asks: { go }, receives: { go: z.string() } },
      async (_, { step, ask, sleep, receive }) => [
        await step('go', () => 'stepped'),
        await ask('go', '?'),
        await sleep('go', 1),
        await receive('go'),
      ],
    );
    const engine = await place().open();
    const run = await engine.start(shared, {}, { id: 'r' });
    await run.outcome();
    await run.answer('go', true);
    await run.send('go', 'news');
    expect(await run.result()).toEqual(['stepped', true, undefined, 'news']);
  });

  test('that no longer makes a call is refused when it ends and when it waits', async () => {
    const old = flow(async ({ step, ask }) => {
      await step('reserve', () => 1);
      return ask('go', '?');
    });
    const here = place();
    const before = await here.open();
    await (await before.start(old, {}, { id: 'r' })).outcome();
    await before.close();
    await expectRefusal(
      here,
      flow(async ({ ask }) => ask('go', '?')),
      { asked: 'ended' },
    );
    const { engine, run } = await open(
      here,
      flow(async ({ ask }) => [await ask('go', '?'), await ask('later', '?')]),
    );
    await run.resume();
    await expect(run.outcome()).rejects.toMatchObject({
      code: 'HOLDFAST_DIVERGED',
      details: { recorded: ['"reserve" (done)'], asked: 'waits' },
    });
    await engine.close();
    const back = await open(here, old);
    await back.run.resume();
    expect(await back.run.result()).toBe(true);
  });

  test('that waits for something else first is refused: nothing new is asked', async () => {
    const old = flow(async ({ ask }) => ask('go', '?'));
    const changed = flow(async ({ sleep, receive, ask }) => {
      await Promise.race([sleep('nap', '1h'), receive('news'), ask('later', '?')]);
      return ask('go', '?');
    });
    const { engine, run } = await deploy(place(), old, changed);
    await run.send('news', 'hi');
    await run.answer('later', true);
    await run.answer('go', true);
    await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED' });
    expect((await recordsOf(engine)).map(({ kind }) => kind)).not.toContain('result');
  });

  test('may reorder calls with names of their own, and add calls after what is recorded', async () => {
    const old = flow(async ({ step, ask }) => {
      const both = [await step('a', () => 'a'), await step('b', () => 'b')];
      return [...both, await ask('go', '?')];
    });
    const changed = flow(async ({ step, ask }) => {
      const both = [await step('b', () => 'new b'), await step('a', () => 'new a')];
      const ok = await ask('go', '?');
      return [...both, ok, await step('c', () => 'c')];
    });
    const { run } = await deploy(place(), old, changed);
    await run.answer('go', true);
    expect(await run.result()).toEqual(['b', 'a', true, 'c']);
  });
});
