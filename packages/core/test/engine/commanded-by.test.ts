// Who gave a command stands in its record; child runs have the tags of their parents; runs can be listed by their ids.
import { graph, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const talk = workflow(
  'talk',
  { input: z.object({}), receives: { note: z.string() }, asks: { ok: z.boolean() } },
  async (_input, { ask }) => ask('ok'),
);

const parent = graph('parent', { state: { done: z.boolean().default(false) } })
  .graph('inner', talk, { in: () => ({}), out: () => ({ done: true }) })
  .node('own', async ({ child }) => {
    await child('own', talk, {}, { tags: { color: 'red' } });
  })
  .edge('start', 'inner')
  .edge('start', 'own')
  .edge(['inner', 'own'], 'end')
  .compile();

describeEverywhere('a command', (place) => {
  test('says in its record who gave it', async () => {
    const engine = await place().open({ graphs: [talk] });
    const run = await engine.start(talk, {}, { id: 'r' });
    await run.outcome();
    await run.send('note', 'hi', { id: 'm1', by: 'ada' });
    // The same message from someone else is still the same message.
    await run.send('note', 'hi', { id: 'm1', by: 'bob' });
    const fork = await run.fork({ id: 'f', by: 'cleo' });
    await fork.resume({ by: 'dan' });
    await fork.cancel('enough', { by: 'eve' });
    const records = await all(engine.journal.read('f'));
    const by = records.flatMap(({ kind, payload }) => {
      const who = (payload as { readonly by?: string } | undefined)?.by;
      return who === undefined ? [] : [[kind, who]];
    });
    expect(by).toEqual([
      ['message', 'ada'],
      ['fork', 'cleo'],
      ['resume', 'dan'],
      ['cancel', 'eve'],
    ]);
    await expect(run.cancel('x', { by: 5 as never })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });
});

describeEverywhere('a child run', (place) => {
  test('has the tags of its parent, and its own', async () => {
    const engine = await place().open({ graphs: [parent] });
    const run = await engine.start(parent, {}, { id: 'p', tags: { tenant: 'a', color: 'blue' } });
    await run.outcome();
    const children = await engine.runs({ parentId: 'p' }).toArray();
    expect(children.map(({ tags }) => tags)).toEqual(
      expect.arrayContaining([
        { tenant: 'a', color: 'blue' },
        { tenant: 'a', color: 'red' },
      ]),
    );
  });
});

describeEverywhere('runs({ ids })', (place) => {
  test('lists these runs as far as they exist and match', async () => {
    const engine = await place().open({ graphs: [talk] });
    for (const id of ['a', 'b', 'c']) await engine.submit(talk, {}, { id, tags: { id } });
    await engine.get('b').fork({ id: 'bf' });
    // Kept for its fork, but no longer seen.
    await engine.delete('b');
    expect(await engine.runs({ ids: ['a', 'b', 'x'] }).toArray()).toMatchObject([{ id: 'a' }]);
    expect(await engine.runs({ ids: ['a', 'c'], tags: { id: 'c' } }).toArray()).toMatchObject([{ id: 'c' }]);
    await expect(engine.runs({ ids: ['../x'] }).toArray()).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
  });
});
