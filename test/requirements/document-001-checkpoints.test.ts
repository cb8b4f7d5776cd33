import { expect, test } from 'vitest';
import { all, clockThatTells, describeDocument, openForTest } from './every-store.ts';

describeDocument('001', ({ fresh, store, shared }) => {
  test('a checkpoint covers the journal as it is, unless it says less', async () => {
    const { journal, checkpoints } = await fresh();
    for (let n = 0; n < 3; n += 1) await journal.append('r', {});
    expect(await checkpoints.save('r', { state: {} })).toEqual({ id: 'r@4', covers: 3, terminal: false });
    expect(await checkpoints.save('r', { state: {}, covers: 2 })).toMatchObject({ id: 'r@5', covers: 2 });
  });

  test('one that covers more of the journal than there is is refused and nothing is saved', async () => {
    const { journal, checkpoints } = await fresh();
    await journal.append('r', {});
    const saving = checkpoints.save('r', { state: {}, covers: 2 });
    await expect(saving).rejects.toMatchObject({
      code: 'HOLDFAST_COVERS_TOO_MUCH',
      details: { runId: 'r', covers: 2, latest: 1 },
    });
    expect(await checkpoints.latest('r')).toBeUndefined();
    expect(await journal.tail('r', 9)).toHaveLength(1);
  });

  test('what a checkpoint covers is read in its own commit, however many write at once', async () => {
    const place = store();
    const first = await openForTest(place);
    const engines = [first, shared ? await openForTest(place) : first];
    const writes = engines.flatMap(({ journal, checkpoints }) =>
      [1, 2, 3, 4].map(async (n) => {
        await journal.append('r', { payload: n });
        return checkpoints.save('r', { state: { n } });
      }),
    );
    const saved = await Promise.all(writes);
    expect(saved.map(({ id, covers }) => ({ id, covers }))).toEqual(
      saved.map(({ covers }) => ({ id: `r@${covers + 1}`, covers })),
    );
    expect(new Set(saved.map(({ id }) => id)).size).toBe(8);
  });

  test('the same id and content is idempotent and never moves covers', async () => {
    const { journal, checkpoints } = await fresh();
    const first = await checkpoints.save('r', { id: 'a', state: { n: 1 } });
    await journal.append('r', {});
    expect(await checkpoints.save('r', { id: 'a', state: { n: 1 } })).toEqual(first);
    expect(await all(checkpoints.list('r'))).toHaveLength(1);
  });

  test('the same id with other content is refused', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('r', { id: 'a', state: { n: 1 } });
    const other = checkpoints.save('r', { id: 'a', state: { n: 2 } });
    await expect(other).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN', details: { id: 'a', cursor: 'r@1' } });
    expect(await checkpoints.load('r@a')).toMatchObject({ id: 'r@1', state: { n: 1 } });
  });

  test('the order is by covers, then by place; latest is the greatest whatever its super-step', async () => {
    const { journal, checkpoints } = await fresh();
    for (let n = 0; n < 5; n += 1) await journal.append('r', {});
    await checkpoints.save('r', { state: { n: 'wide' }, covers: 5, superstep: 1 });
    await checkpoints.save('r', { state: { n: 'narrow' }, covers: 2, superstep: 9 });
    await checkpoints.save('r', { state: { n: 'last saved' }, covers: 5, superstep: 2 });
    expect(await checkpoints.latest('r')).toMatchObject({ state: { n: 'last saved' } });
    expect((await all(checkpoints.list('r'))).map(({ id }) => id)).toEqual(['r@8', 'r@6', 'r@7']);
  });

  test('atOrBefore gives the greatest that covers at most the cursor', async () => {
    const { journal, checkpoints } = await fresh();
    for (const state of [{ n: 0 }, { n: 1 }, { n: 2 }]) {
      await checkpoints.save('r', { state });
      await journal.append('r', {});
    }
    expect(await checkpoints.atOrBefore('r@0')).toMatchObject({ covers: 0, state: { n: 0 } });
    expect(await checkpoints.atOrBefore('r@2')).toMatchObject({ covers: 2, state: { n: 1 } });
    expect(await checkpoints.atOrBefore('r@3')).toMatchObject({ covers: 2, state: { n: 1 } });
    expect(await checkpoints.atOrBefore('r@99')).toMatchObject({ covers: 4, state: { n: 2 } });
    expect(await checkpoints.atOrBefore('nobody@3')).toBeUndefined();
  });

  test('there is nothing at or before a cursor that no checkpoint covers so little as', async () => {
    const { journal, checkpoints } = await fresh();
    await journal.append('r', {});
    await checkpoints.save('r', { state: {} });
    expect(await checkpoints.atOrBefore('r@0')).toBeUndefined();
  });

  test.each(['r', 'r@', 'r@x', 'r@-1', 'r@1.5', 'r@01', '@3', '', 'r@1@2', 'r@9007199254740993'])(
    'the cursor %j does not parse and is an error, never the beginning',
    async (cursor) => {
      const { checkpoints } = await fresh();
      await checkpoints.save('r', { state: {} });
      await expect(checkpoints.atOrBefore(cursor)).rejects.toMatchObject({
        code: expect.stringMatching(/HOLDFAST_INVALID_(CURSOR|ID)/),
      });
    },
  );

  test('prune drops what covers less, and says what it dropped and kept', async () => {
    const { checkpoints } = await fresh();
    for (let n = 0; n < 4; n += 1) await checkpoints.save('r', { state: { n } });
    const report = await checkpoints.prune('r', { before: 2 });
    expect(report).toMatchObject({ runs: 1, pruned: 2, retained: 2, preservedTerminal: [], protectedBy: [] });
    expect(report.bytes).toBeGreaterThan(0);
    expect((await all(checkpoints.list('r'))).map(({ id }) => id)).toEqual(['r@4', 'r@3']);
    expect(await checkpoints.load('r@1')).toBeUndefined();
  });

  test('prune keeps the latest terminal checkpoint if asked, and names it', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('r', { state: {}, status: 'terminal:first' });
    await checkpoints.save('r', { state: {}, status: 'completed' });
    await checkpoints.save('r', { state: {} });
    await checkpoints.save('r', { state: {} });
    expect(await checkpoints.prune('r', { before: 9, keepLatestTerminal: true })).toMatchObject({
      pruned: 2,
      retained: 2,
      preservedTerminal: ['r@2'],
      protectedBy: [
        { checkpoint: 'r@4', because: 'latest' },
        { checkpoint: 'r@2', because: 'terminal' },
      ],
    });
    expect((await all(checkpoints.list('r'))).map(({ id }) => id)).toEqual(['r@4', 'r@2']);
  });

  test('prune of an unknown run is zeros', async () => {
    const { checkpoints } = await fresh();
    const zeros = { runs: 0, pruned: 0, retained: 0, bytes: 0, preservedTerminal: [], protectedBy: [] };
    expect(await checkpoints.prune('nobody', { keep: 0 })).toEqual(zeros);
  });

  test('prune never removes the last checkpoint of a run', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('r', { state: { n: 1 } });
    expect(await checkpoints.prune('r', { keep: 0 })).toMatchObject({
      pruned: 0,
      retained: 1,
      protectedBy: [{ checkpoint: 'r@1', because: 'latest' }],
    });
    expect(await checkpoints.latest('r')).toMatchObject({ state: { n: 1 } });
  });

  test('prune never removes one that a fork stands on', async () => {
    const { checkpoints } = await fresh();
    for (let n = 0; n < 3; n += 1) await checkpoints.save('r', { state: { n } });
    const fork = await checkpoints.fork('r@1');
    expect(await checkpoints.prune('r', { keep: 1 })).toMatchObject({
      pruned: 1,
      protectedBy: [{ checkpoint: 'r@1', because: 'fork' }],
    });
    expect(await checkpoints.latest(fork)).toMatchObject({ state: { n: 0 } });
  });

  test('a dry run reports the same and drops nothing', async () => {
    const { checkpoints } = await fresh();
    for (let n = 0; n < 5; n += 1) await checkpoints.save('r', { state: { n } });
    const wouldBe = await checkpoints.prune('r', { keep: 2, dryRun: true });
    expect(await all(checkpoints.list('r'))).toHaveLength(5);
    expect(await checkpoints.prune('r', { keep: 2 })).toEqual(wouldBe);
    expect(wouldBe).toMatchObject({ pruned: 3, retained: 2 });
    expect(await all(checkpoints.list('r'))).toHaveLength(2);
  });

  test('prune takes only what is older, where an age is given', async () => {
    let now = 0;
    const { checkpoints } = await fresh({ clock: clockThatTells(() => now) });
    for (now = 0; now < 5_000; now += 1_000) await checkpoints.save('r', { state: {} });
    expect(await checkpoints.prune('r', { olderThan: '3s' })).toMatchObject({ pruned: 2, retained: 3 });
  });

  test('prune takes only runs of the status, where one is given', async () => {
    const { checkpoints } = await fresh();
    for (let n = 0; n < 3; n += 1) await checkpoints.save('r', { state: {} });
    expect(await checkpoints.prune('r', { keep: 1, status: ['completed'] })).toMatchObject({ runs: 0, pruned: 0 });
    await checkpoints.save('r', { state: {}, status: 'completed' });
    expect(await checkpoints.prune('r', { keep: 1, status: ['completed'] })).toMatchObject({ runs: 1, pruned: 3 });
  });

  test('a policy that says nothing, or something unknown, is refused rather than dropping all', async () => {
    const { checkpoints } = await fresh();
    const refusal = { code: 'HOLDFAST_INVALID_OPTION' };
    await expect(checkpoints.prune('r', {})).rejects.toMatchObject(refusal);
    await expect(checkpoints.prune('r', { keep: -1 })).rejects.toMatchObject(refusal);
    // @ts-expect-error not in a policy
    await expect(checkpoints.prune('r', { kep: 1 })).rejects.toMatchObject(refusal);
  });

  test.each(['completed', 'failed', 'cancelled', 'terminal:custom', 'TERMINAL:Custom', 'Completed', 'terminal'])(
    'the status %s is terminal',
    async (status) => {
      const { checkpoints } = await fresh();
      const saving = checkpoints.save('r', { state: {}, status: status as 'completed' });
      await expect(saving).resolves.toMatchObject({ terminal: true });
      await checkpoints.save('r', { state: {} });
      const report = await checkpoints.prune('r', { keep: 1, keepLatestTerminal: true });
      expect(report).toMatchObject({ pruned: 0, preservedTerminal: ['r@1'] });
    },
  );

  test.each(['running', 'waiting', 'pending'] as const)('the status %s is not terminal', async (status) => {
    const { checkpoints } = await fresh();
    expect(await checkpoints.save('r', { state: {}, status })).toMatchObject({ terminal: false });
  });

  test('list gives a run newest first, in pages, without states', async () => {
    const { checkpoints } = await fresh();
    for (let n = 0; n < 30; n += 1) await checkpoints.save('r', { state: { n }, label: `step ${n}` });
    const first = await all(checkpoints.list('r', { limit: 4 }));
    const second = await all(checkpoints.list('r', { limit: 4, before: first.at(-1)?.id }));
    expect([...first, ...second].map(({ seq }) => seq)).toEqual([30, 29, 28, 27, 26, 25, 24, 23]);
    expect(first[0]).toMatchObject({ id: 'r@30', parentId: 'r@29', label: 'step 29', superstep: 30 });
    expect(first[0]).not.toHaveProperty('state');
    expect((await all(checkpoints.list('r'))).at(-1)).toMatchObject({ id: 'r@1', parentId: null });
    expect(await all(checkpoints.list('r', { limit: 0 }))).toEqual([]);
    expect(await all(checkpoints.list('nobody'))).toEqual([]);
  });

  test('checkpoints are listed across runs: every run is listed, and then its own', async () => {
    const engine = await fresh();
    for (const run of ['a', 'b', 'c']) {
      for (const n of [1, 2]) await engine.checkpoints.save(run, { graph: 'wf', state: { n } });
    }
    await engine.checkpoints.save('other', { graph: 'else', state: {} });
    const found: string[] = [];
    for await (const { id } of engine.runs({ graph: 'wf' })) {
      for await (const checkpoint of engine.checkpoints.list(id)) found.push(checkpoint.id);
    }
    expect(found.toSorted()).toEqual(['a@1', 'a@2', 'b@1', 'b@2', 'c@1', 'c@2']);
  });

  test('listing from a checkpoint that is not there is an error', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('r', { state: {} });
    await expect(all(checkpoints.list('r', { before: 'r@7' }))).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(all(checkpoints.list('r', { limit: -1 }))).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });
});
