import { type EngineEvent, graph, list, openEngine, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const none = z.object({});
const done = workflow('done', { input: none }, async () => 1);
const failing = workflow('failing', { input: none }, () => {
  throw new Error('no');
});
const asking = workflow('asking', { input: none, asks: { ok: z.boolean() } }, (_, { ask }) => ask('ok'));
const parent = workflow('parent', { input: none }, (_, { child }) => child('inner', done, {}));
const waiting = workflow('waiting', { input: none, asks: { ok: z.boolean() } }, async (_, { child, ask }) => {
  await child('inner', done, {});
  return ask('ok');
});
const chat = graph('chat', { state: { log: list<string>() } })
  .node('reply', () => ({ log: 'reply' }))
  .edge('start', 'reply')
  .edge('reply', 'end')
  .compile();

const graphs = [done, failing, asking, parent, waiting, chat];

describeEverywhere('retention.runs', (place) => {
  test('deletes ended runs by status and age, with their children, and nothing else', async () => {
    const clock = virtualClock();
    const events: EngineEvent[] = [];
    const retention = { runs: { completed: '30d', failed: '90d' }, checkpoints: { keep: 1 } } as const;
    const engine = await place().open({ graphs, clock, retention, observe: { event: (event) => events.push(event) } });
    await engine.start(done, {}, { id: 'old' }).result();
    await engine
      .start(failing, {}, { id: 'failed' })
      .result()
      .catch(() => undefined);
    await engine.start(asking, {}, { id: 'open' }).outcome();
    await engine.start(parent, {}, { id: 'parent' }).result();
    await engine.start(waiting, {}, { id: 'waiting' }).outcome();
    await engine.start(chat, { log: 'a' }, { id: 'chat', turn: '1' }).result();
    await engine.start(chat, { log: 'b' }, { id: 'chat', turn: '2' }).result();
    await clock.advance('31d');
    await engine.get(chat, 'chat').fork({ id: 'fork' });
    await engine.start(done, {}, { id: 'new' }).result();
    const worker = engine.work();
    const swept = (): readonly string[] => events.flatMap((event) => (event.type === 'delete' ? [event.runId] : []));
    await expect.poll(() => swept().toSorted()).toEqual(['chat', 'old', 'parent']);
    await worker.stop();
    const left = (await all(engine.runs())).filter(({ parentId }) => parentId === null).map(({ id }) => id);
    expect(left.toSorted()).toEqual(['failed', 'fork', 'new', 'open', 'waiting']);
    // The child of a run that waits is needed, however old it is.
    expect((await all(engine.runs({ graph: done }))).map(({ parentId }) => parentId)).toEqual([null, 'waiting']);
    expect((await engine.get(chat, 'fork').state()).log).toEqual(['a', 'reply', 'b', 'reply']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'delete', runId: 'old', by: 'retention' }));
  });
});

describe('retention', () => {
  test.each([
    [{ keep: 1 }, 'keep'],
    [{ runs: { waiting: '1d' } }, 'waiting'],
    [{ runs: { completed: 'soon' } }, 'retention.runs.completed'],
    [{ checkpoints: {} }, undefined],
    [{ checkpoints: { keep: 1, runId: 'r' } }, undefined],
    [{ ids: -1 }, 'retention.ids'],
  ])('refuses %j when the engine is opened', async (retention, option) => {
    const opening = openEngine('memory:', { retention: retention as never });
    await expect(opening).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION', details: option ? { option } : {} });
  });
});
