import { expect, test } from 'vitest';
import { all, clockThatTells, describeDocument, openForTest } from './every-store.ts';

describeDocument('000', ({ fresh }) => {
  test('a record has a source, labels and metadata, and comes back as it was', async () => {
    const { journal } = await fresh();
    const payload = { q: 'holdfast', when: new Date(5), n: 7n };
    const cursor = await journal.append('clerk', { source: 'tool', labels: ['search'], meta: { cost: 2 }, payload });
    const [record] = await journal.tail('clerk', 1);
    expect(cursor).toBe('clerk@1');
    expect(record).toMatchObject({ runId: 'clerk', seq: 1, id: 'clerk@1', kind: 'note', source: 'tool' });
    expect(record).toMatchObject({ labels: ['search'], meta: { cost: 2 }, payload });
    expect(record?.at).toBeInstanceOf(Date);
  });

  test('the sources are input, output, tool, system and custom ones with a name', async () => {
    const { journal } = await fresh();
    const sources = ['input', 'output', 'tool', 'system', 'custom:audit'] as const;
    for (const source of sources) await journal.append('clerk', { source });
    expect((await journal.tail('clerk', 9)).map(({ source }) => source)).toEqual(sources);
    // @ts-expect-error not a source
    await expect(journal.append('clerk', { source: 'nope' })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
  });

  test('an empty label and an empty custom source are refused, and nothing is written', async () => {
    const { journal } = await fresh();
    const refusal = { code: 'HOLDFAST_INVALID_OPTION' };
    await expect(journal.append('clerk', { labels: [''] })).rejects.toMatchObject(refusal);
    await expect(journal.append('clerk', { source: 'custom:' })).rejects.toMatchObject(refusal);
    await expect(journal.tail('clerk', 1, { label: '' })).rejects.toMatchObject(refusal);
    expect(await journal.tail('clerk', 9)).toEqual([]);
  });

  test('tail(n) gives the last n, oldest to newest, and tail(0) none', async () => {
    const { journal } = await fresh();
    for (const payload of [1, 2, 3, 4]) await journal.append('clerk', { payload });
    expect((await journal.tail('clerk', 2)).map(({ payload }) => payload)).toEqual([3, 4]);
    expect((await journal.tail('clerk', 9)).map(({ payload }) => payload)).toEqual([1, 2, 3, 4]);
    expect(await journal.tail('clerk', 0)).toEqual([]);
    expect(await journal.tail('nobody', 3)).toEqual([]);
  });

  test('tail filters before it counts, however far back the matches are', async () => {
    const { journal } = await fresh();
    await journal.append('clerk', { labels: ['wanted'], payload: 'old' });
    for (let n = 0; n < 600; n += 1) await journal.append('clerk', { payload: n });
    await journal.append('clerk', { labels: ['wanted'], payload: 'new' });
    await journal.append('clerk', {});
    const found = await journal.tail('clerk', 2, { label: 'wanted' });
    expect(found.map(({ payload }) => payload)).toEqual(['old', 'new']);
  });

  test('one agent never sees the records of another', async () => {
    const { journal } = await fresh();
    await journal.append('ada', { payload: 'hers' });
    await journal.append('bob', { payload: 'his' });
    expect((await all(journal.read('ada'))).map(({ payload }) => payload)).toEqual(['hers']);
    expect((await journal.tail('bob', 9)).map(({ payload }) => payload)).toEqual(['his']);
  });

  test('read goes from the beginning or a cursor on, by label, source or kind', async () => {
    const { journal } = await fresh();
    await journal.append('clerk', { source: 'input', payload: 1 });
    const cursor = await journal.append('clerk', { source: 'tool', payload: 2 });
    await journal.append('clerk', { source: 'tool', payload: 3 });
    const read = async (options: Parameters<typeof journal.read>[1]): Promise<readonly unknown[]> =>
      (await all(journal.read('clerk', options))).map(({ payload }) => payload);
    expect(await read({})).toEqual([1, 2, 3]);
    expect(await read({ after: cursor })).toEqual([3]);
    expect(await read({ source: 'tool' })).toEqual([2, 3]);
    expect(await read({ kind: 'checkpoint' })).toEqual([]);
  });

  test("a user's own record labelled checkpoint never shadows a real one", async () => {
    const { journal, checkpoints } = await fresh();
    const saved = await checkpoints.save('clerk', { state: { handled: 1 } });
    await journal.append('clerk', { source: 'system', labels: ['checkpoint'], payload: { state: { handled: 99 } } });
    expect(await checkpoints.latest('clerk')).toMatchObject({ id: saved.id, state: { handled: 1 } });
  });

  test('the newest checkpoint is found however many records came after it', async () => {
    const { journal, checkpoints } = await fresh();
    await checkpoints.save('clerk', { state: { handled: 1 } });
    for (let n = 0; n < 120; n += 1) await journal.append('clerk', {});
    expect(await checkpoints.latest('clerk')).toMatchObject({ state: { handled: 1 } });
  });

  test('the latest of several wins by journal order, whatever the clocks say', async () => {
    let now = 5_000;
    const { checkpoints } = await fresh({ clock: clockThatTells(() => now) });
    await checkpoints.save('clerk', { state: { version: 1 } });
    now = 1_000;
    await checkpoints.save('clerk', { state: { version: 2 } });
    expect(await checkpoints.latest('clerk')).toMatchObject({ state: { version: 2 }, at: new Date(1_000) });
  });

  test('a checkpoint is a record of the source system, labelled checkpoint, with its metadata', async () => {
    const { journal, checkpoints } = await fresh();
    const metadata = { inFlightTasks: 5, reason: 'shutdown' };
    await checkpoints.save('clerk', { state: { key: 'value' }, metadata });
    const [record] = await journal.tail('clerk', 1, { label: 'checkpoint' });
    expect(record).toMatchObject({ kind: 'checkpoint', source: 'system', labels: ['checkpoint'] });
    expect(record?.meta).toMatchObject({ version: 1, ...metadata });
    expect(await checkpoints.latest('clerk')).toMatchObject({ metadata: { version: 1, ...metadata } });
  });

  test('metadata is version 1, nothing in flight and no reason unless told otherwise', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('clerk', { state: {} });
    expect((await checkpoints.latest('clerk'))?.metadata).toEqual({ version: 1, inFlightTasks: 0 });
  });

  test('the same id and content again is the same record; other content is refused', async () => {
    const { journal } = await fresh();
    const first = await journal.append('clerk', { id: 'mail-9', payload: { a: 1 } });
    expect(await journal.append('clerk', { id: 'mail-9', payload: { a: 1 } })).toBe(first);
    const other = journal.append('clerk', { id: 'mail-9', payload: { a: 2 } });
    await expect(other).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN', details: { id: 'mail-9', cursor: first } });
    expect(await all(journal.read('clerk'))).toHaveLength(1);
  });

  test('records appended at once all arrive, each once, without a gap', async () => {
    const { journal } = await fresh();
    const payloads = Array.from({ length: 50 }, (_, n) => n);
    const cursors = await Promise.all(payloads.map((payload) => journal.append('clerk', { payload })));
    expect(new Set(cursors).size).toBe(50);
    expect((await all(journal.read('clerk'))).map(({ seq }) => seq)).toEqual(payloads.map((n) => n + 1));
  });
});

describeDocument(
  '000',
  ({ store }) => {
    test('records appended at once by two engines on one store all arrive', async () => {
      const place = store();
      const engines = [await openForTest(place), await openForTest(place)];
      const appends = engines.flatMap(({ journal }) =>
        [1, 2, 3].map((payload) => journal.append('clerk', { payload })),
      );
      await Promise.all(appends);
      const { journal } = await openForTest(place);
      expect((await all(journal.read('clerk'))).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    });
  },
  { shared: true },
);

describeDocument(
  '000',
  ({ store }) => {
    test('a second engine on the store is refused and told who holds it', async () => {
      const place = store();
      await openForTest(place);
      await expect(openForTest(place)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_LOCKED' });
    });
  },
  { shared: false },
);
