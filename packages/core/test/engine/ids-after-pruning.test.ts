// What makes a repeat harmless outlives what pruning drops: the store keeps hashes of ids.
import { graph, list, promote, workflow } from 'holdfast';
import { memoryStore, virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, type Place, placeOn } from './every-place.ts';
import { exported } from './exported.ts';

type Engine = Awaited<ReturnType<Place['open']>>;

const chat = graph('chat', { state: { said: list<string>() } })
  .node('reply', ({ state }) => ({ said: `re: ${state.said.at(-1)}` }))
  .edge('start', 'reply')
  .edge('reply', 'end')
  .compile();

const inbox = graph('inbox', { state: { got: list<number>() }, receives: { item: z.number() } })
  .node('take', async ({ receive }) => ({ got: await receive('item') }))
  .edge('start', 'take')
  .edge('take', 'take')
  .compile();

/** A chat of some turns, pruned to its last super-step. */
async function prunedChat(engine: Engine, turns: readonly string[] = ['t1', 't2', 't3']): Promise<void> {
  for (const turn of turns) await (await engine.start(chat, { said: turn }, { id: 'c', turn })).outcome();
  expect((await engine.prune({ runId: 'c', keep: 1 })).pruned).toBeGreaterThan(0);
}

async function saidIn(engine: Engine, id = 'c'): Promise<readonly string[]> {
  return (await (await engine.get(chat, id)).state()).said;
}

const said = ['t1', 're: t1', 't2', 're: t2', 't3', 're: t3'];

/** Repeats a turn that was pruned, and one whose input differs. */
async function expectKnownTurns(engine: Engine, id = 'c'): Promise<void> {
  const again = await engine.start(chat, { said: 't1' }, { id, turn: 't1' });
  expect(await again.outcome()).toMatchObject({ status: 'completed' });
  expect(await saidIn(engine, id)).toEqual(said);
  const other = engine.start(chat, { said: 'other' }, { id, turn: 't2' });
  await expect(other).rejects.toMatchObject({ code: 'HOLDFAST_INPUT_MISMATCH' });
}

describeEverywhere('after pruning', (place) => {
  test('the same turn again is the same turn, and another input for it is refused', async () => {
    const here = place();
    const engine = await here.open();
    await prunedChat(engine);
    await expectKnownTurns(engine);
    await engine.prune({ runId: 'c', keep: 1 });
    await engine.close();
    const reopened = await here.open();
    await expectKnownTurns(reopened);
    expect(await saidIn(reopened)).toEqual(said);
  });

  test('a message that was taken is not delivered again', async () => {
    const engine = await place().open();
    const run = await engine.start(inbox, {}, { id: 'i' });
    for (const id of [1, 2, 3]) {
      await run.send('item', id, { id: `m${id}` });
      await run.outcome();
    }
    await engine.prune({ runId: 'i', keep: 1 });
    await run.send('item', 1, { id: 'm1' });
    await expect(run.send('item', 9, { id: 'm2' })).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
    await run.send('item', 4, { id: 'm4' });
    await run.outcome();
    expect((await run.state()).got).toEqual([1, 2, 3, 4]);
  });

  test('a record with the same id is the same record', async () => {
    const engine = await place().open();
    await engine.start(chat, { said: 't0' }, { id: 'c' });
    const cursor = await engine.journal.append('c', { payload: 1, id: 'note' });
    await prunedChat(engine);
    expect(await all(engine.journal.read('c'))).not.toContainEqual(expect.objectContaining({ id: 'note' }));
    expect(await engine.journal.append('c', { payload: 1, id: 'note' })).toBe(cursor);
    const other = engine.journal.append('c', { payload: 2, id: 'note' });
    await expect(other).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
  });

  test('an exported and imported run knows its ids, under another name too', async () => {
    const engine = await place().open();
    await prunedChat(engine);
    const bytes = await exported(engine.export('c'));
    await engine.import(bytes, { id: 'copy' });
    await expectKnownTurns(engine, 'copy');
    expect(new TextDecoder().decode(bytes)).not.toContain('turn:t1');
  });

  test('a promoted run knows its ids', async () => {
    const here = place();
    const engine = await here.open();
    await prunedChat(engine);
    await engine.close();
    const target = memoryStore();
    await promote(here.store, target);
    const there = await placeOn(target).open();
    await expectKnownTurns(there);
    expect(await saidIn(there)).toEqual(said);
  });

  test('a fork knows the ids below its fork point as its own, also when both are pruned and its base is gone', async () => {
    const engine = await place().open();
    await prunedChat(engine);
    await (await engine.get(chat, 'c')).fork({ id: 'f' });
    await engine.start(chat, { said: 't4' }, { id: 'c', turn: 't4' }).then((run) => run.outcome());
    await expectKnownTurns(engine, 'f');
    for (const turn of ['u1', 'u2']) await (await engine.start(chat, { said: turn }, { id: 'f', turn })).outcome();
    await engine.prune({ runId: 'f', keep: 1 });
    await engine.delete('c');
    const before = await saidIn(engine, 'f');
    for (const turn of ['t1', 't3', 'u1']) {
      await (await engine.start(chat, { said: turn }, { id: 'f', turn })).outcome();
    }
    expect(await saidIn(engine, 'f')).toEqual(before);
    // What came after the fork point is not its own.
    await (await engine.start(chat, { said: 't4' }, { id: 'f', turn: 't4' })).outcome();
    expect(await saidIn(engine, 'f')).toEqual([...before, 't4', 're: t4']);
  });

  test('a deleted run leaves no id behind', async () => {
    const engine = await place().open();
    await prunedChat(engine);
    await engine.delete('c');
    await (await engine.start(chat, { said: 'again' }, { id: 'c', turn: 't1' })).outcome();
    expect(await saidIn(engine)).toEqual(['again', 're: again']);
  });

  test('an id is forgotten when retention.ids has passed, and no earlier', async () => {
    const clock = virtualClock();
    const engine = await place().open({ clock, retention: { checkpoints: { keep: 1 }, ids: '10s' } });
    await prunedChat(engine);
    await clock.advance('9s');
    await engine.prune({ runId: 'c', keep: 1 });
    await expectKnownTurns(engine);
    await clock.advance('2s');
    await engine.prune({ runId: 'c', keep: 1 });
    await (await engine.start(chat, { said: 't1' }, { id: 'c', turn: 't1' })).outcome();
    expect(await saidIn(engine)).toEqual([...said, 't1', 're: t1']);
  });

  test('verify finds nothing wrong', async () => {
    const engine = await place().open();
    await prunedChat(engine);
    expect(await engine.verify()).toMatchObject({ ok: true });
  });

  test('a workflow that was started by a turn is known by it', async () => {
    let runs = 0;
    const count = workflow('count', { input: z.object({}) }, async () => {
      runs += 1;
      return runs;
    });
    const engine = await place().open();
    for (const turn of ['a', 'b', 'c']) await (await engine.start(count, {}, { id: 'w', turn })).outcome();
    await engine.prune({ runId: 'w', keep: 1 });
    expect(await (await engine.start(count, {}, { id: 'w', turn: 'a' })).result()).toBe(3);
    expect(runs).toBe(3);
  });
});
