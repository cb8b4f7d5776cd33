import { type Change, channel, counter, graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { all, describeEverywhere, memoryPlace } from './every-place.ts';
import { applyChanges } from './model/apply-changes.ts';

interface Page {
  readonly words: Readonly<Record<string, number>>;
}

const writing = graph('writing', {
  state: { n: counter(), seen: list<number>(), page: channel<Page>(), upTo: counter() },
})
  .node('write', ({ state: { n, page } }) => ({
    n: 1,
    seen: n,
    page: { words: { ...page?.words, [`w/${n % 7}`]: n } },
  }))
  .edge('start', 'write')
  .route('write', ['write', 'end'], ({ n, upTo }) => (n < upTo ? 'write' : 'end'))
  .compile();

describeEverywhere('diff', (place) => {
  test('turns one state into the other, along a run, against it, across forks and to another run', async () => {
    const engine = await place().open();
    const run = await engine.start(writing, { upTo: 12 }, { id: 'r' });
    await run.result();
    const other = await engine.start(writing, { upTo: 4 }, { id: 'other' });
    await other.result();
    const fork = await run.fork({ at: 'r@5', set: { seen: [7], upTo: 6 }, id: 'f', resume: true });
    await fork.result();
    await engine.delete('r');
    const places = [...(await all(fork.history({ limit: 5 }))), ...(await all(other.history({ limit: 1 })))];
    for (const from of places) {
      for (const to of places) {
        const changes = await fork.diff(from.id, to.id);
        expect(applyChanges(from.state, changes)).toEqual(to.state);
      }
    }
    expect(await fork.diff('r@3', 'r@3')).toEqual([]);
    const [now] = await all(other.history({ limit: 1 }));
    expect(applyChanges(await fork.state(), await engine.diff('f', 'other'))).toEqual(now?.state);
    expect(await engine.diff('f', places[1]?.id ?? '')).toEqual(
      await fork.diff(places[0]?.id ?? '', places[1]?.id ?? ''),
    );
    for (const gone of ['r', 'nowhere', 'nowhere@1'])
      await expect(engine.diff(gone, 'f')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(engine.diff('f', 'f@')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
    await expect(other.diff('r@3', 'other@3')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(fork.diff('f@99', 'f@6')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(fork.diff('nonsense', 'f@6')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
  });
});

test('a diff of places far apart is the same in pages as in one', async () => {
  const engine = await memoryPlace().open();
  const run = await engine.start(writing, { upTo: 700 }, { id: 'r', maxSupersteps: 701 });
  await run.result();
  const whole = await run.diff('r@3', 'r@690');
  expect(whole).toHaveLength(1 + 687 + 7);
  const paged: Change[] = [];
  for (;;) {
    const page = await run.diff('r@3', 'r@690', { after: paged.length, limit: 100 });
    paged.push(...page);
    if (page.length < 100) break;
  }
  expect(paged).toEqual(whole);
  expect(await run.diff('r@3', 'r@690', { limit: 0 })).toEqual([]);
  const [from, to] = [await run.checkpoint('r@3'), await run.checkpoint('r@690')];
  expect(applyChanges(from.state, paged)).toEqual(to.state);
  for (const options of [{ limit: -1 }, { after: 0.5 }, { limit: '5' as unknown as number }]) {
    await expect(run.diff('r@3', 'r@4', options)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  }
});
