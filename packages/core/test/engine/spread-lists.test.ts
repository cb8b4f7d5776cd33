// A node that returns [...state.log, item] for a list: the list appends, so that everything in it would be there twice.
import { graph, list, openEngine, replace, type StateOf } from 'holdfast';
import { expect, test } from 'vitest';

const base = graph('spread', { state: { log: list<string>() } });

/** What a run of two turns ends with, and what it warned of. */
async function warned(update: (state: StateOf<typeof base>) => object) {
  const spread = base
    .node('add', ({ state }) => update(state))
    .edge('start', 'add')
    .edge('add', 'end')
    .compile();
  const said: string[] = [];
  await using engine = await openEngine('memory:', {
    log: ({ type, message }) => type === 'warning' && said.push(message),
  });
  const before = await engine.start(spread, { log: ['a', 'b'] }, { id: 'r', turn: 'one' }).result();
  const after = await engine.start(spread, {}, { id: 'r', turn: 'two' }).result();
  await engine.start(spread, { log: ['a', 'b'] }, { id: 'other' }).result();
  return { lengths: [before.log.length, after.log.length], said };
}

test('of texts is taken, because it could be meant, with one warning per node', async () => {
  const { lengths, said } = await warned(({ log }) => ({ log: [...log, 'c'] }));
  expect(lengths).toEqual([5, 11]);
  expect(said).toEqual([
    'Node "add" of run "r" gave list "log" all of its items again: list() appends, so return only the new items, or replace(…). Nothing is wrong if it was meant; this is said once per node.',
  ]);
});

test.each([
  ['new items', () => ({ log: ['c', 'd'] })],
  ['a part of its items', ({ log }: StateOf<typeof base>) => ({ log: log.slice(1) })],
  ['a replacement', ({ log }: StateOf<typeof base>) => ({ log: replace([...log, 'c']) })],
])('does not warn of %s', async (_, update) => {
  expect((await warned(update)).said).toEqual([]);
});
