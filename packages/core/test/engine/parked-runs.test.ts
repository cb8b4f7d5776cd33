// Runs that wait where they were started, and are answered elsewhere or after a work loop has ended there.
import { workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, describeShared } from './every-place.ts';

const none = z.object({});
const asking = workflow('asking', { input: none, asks: { ok: z.boolean() } }, (_, { ask }) => ask('ok'));
const receiving = workflow('receiving', { input: none, receives: { mail: z.string() } }, (_, { receive }) =>
  receive('mail'),
);

describeShared('a run that waits where it was started', (place) => {
  test('continues there when another process answers it or sends it a message, without recover() or work()', async () => {
    const clock = virtualClock(new Date());
    const here = place();
    const engine = await here.open({ clock });
    const asked = await engine.start(asking, {}, { id: 'asked' });
    const mailed = await engine.start(receiving, {}, { id: 'mailed' });
    const fork = await (await asked.fork({ id: 'fork' })).resume();
    const begun = await asked.fork({ id: 'begun', resume: true });
    const all = [asked, mailed, fork, begun];
    for (const run of all) expect((await run.outcome()).status).toBe('waiting');
    const inbox = await here.open({ executes: false, clock });
    await inbox.get(asking, 'asked').answer('ok', true);
    await inbox.get(asking, 'fork').answer('ok', false);
    await inbox.get(asking, 'begun').answer('ok', true);
    await inbox.get(receiving, 'mailed').send('mail', 'hello');
    const statuses = async (): Promise<readonly string[]> => {
      await clock.advance(1_000);
      return Promise.all(all.map(async (run) => (await run.summary()).status));
    };
    await expect.poll(statuses).toEqual(all.map(() => 'completed'));
    expect(await Promise.all(all.map((run) => run.result()))).toEqual([true, 'hello', false, true]);
  });
});

describeEverywhere('an engine whose work has ended', (place) => {
  test('continues the runs that are answered or sent a message there', async () => {
    const engine = await place().open({ graphs: [asking, receiving] });
    const worker = engine.work();
    const asked = await engine.submit(asking, {}, { id: 'asked' });
    const mailed = await engine.submit(receiving, {}, { id: 'mailed' });
    for (const run of [asked, mailed]) expect((await run.outcome()).status).toBe('waiting');
    await worker.stop();
    await asked.answer('ok', true);
    await mailed.send('mail', 'hello');
    expect([await asked.result(), await mailed.result()]).toEqual([true, 'hello']);
  });
});
