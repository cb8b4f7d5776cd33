import { type Engine, openEngine } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { all, describeEverywhere, describeShared } from '../every-place.ts';

const kilobyte = (n: number): string => `${n} `.padEnd(1_024, 'abc');

const kilobytes = (count: number): string[] => Array.from({ length: count }, (_, n) => kilobyte(n));

/** Saves one object again and again, with 1 KB more each time. */
async function saveGrowing({ checkpoints }: Engine, times: number, run = 'loop'): Promise<string[]> {
  const state = { log: [] as string[] };
  const ids: string[] = [];
  for (let n = 0; n < times; n += 1) {
    state.log.push(kilobyte(n));
    ids.push((await checkpoints.save(run, { state })).id);
  }
  return ids;
}

async function lengths(engine: Engine, run: string): Promise<number[]> {
  const listed = await all(engine.checkpoints.list(run, { states: true }));
  return listed.map(({ state }) => (state['log'] as string[]).length);
}

async function exported(engine: Engine, run: string, redact?: readonly string[]): Promise<Uint8Array> {
  const parts = await all(engine.export(run, { redact }));
  return Buffer.concat(parts);
}

describeEverywhere('checkpoints of journal runs', (place) => {
  test('cost what changed, and every one of them can be read', async () => {
    const engine = await place().open();
    await saveGrowing(engine, 80);
    expect((await exported(engine, 'loop')).length).toBeLessThan(80 * 2.4 * 1_280);
    expect(await lengths(engine, 'loop')).toEqual(Array.from({ length: 80 }, (_, n) => 80 - n));
    expect(await engine.checkpoints.load('loop@7')).toMatchObject({ superstep: 7, parentId: 'loop@6' });
  });

  test.each<[string, (n: number) => unknown]>([
    ['a Map', (n) => new Map(kilobytes(n).map((text, at) => [`key-${at}`, { text }]))],
    ['a Set', (n) => new Set(kilobytes(n))],
    ['a text inside of a list', (n) => [{ draft: kilobytes(n).join('') }]],
    ['the end of a list that drops its beginning', (n) => kilobytes(n).slice(-20)],
    [
      'the middle of a list',
      (n) => kilobytes(n).reduce<string[]>((made, text, at) => made.toSpliced(at >> 1, 0, text), []),
    ],
  ])('cost what changed where %s changes', async (_, value) => {
    const engine = await place().open();
    for (let n = 1; n <= 80; n += 1) await engine.checkpoints.save('loop', { state: { deep: { value: value(n) } } });
    expect((await exported(engine, 'loop')).length).toBeLessThan(80 * 2.4 * 1_280);
    const states = (await all(engine.checkpoints.list('loop', { states: true }))).map(({ state }) => state);
    expect(states.slice(0, 3)).toEqual([80, 79, 78].map((n) => ({ deep: { value: value(n) } })));
  });

  test('list() gives a page of states', async () => {
    const engine = await place().open();
    await saveGrowing(engine, 20);
    const page = await all(engine.checkpoints.list('loop', { states: true, limit: 2, before: 'loop@9' }));
    expect(page.map(({ id, state }) => [id, (state['log'] as string[]).length])).toEqual([
      ['loop@8', 8],
      ['loop@7', 7],
    ]);
    expect(await all(engine.checkpoints.list('loop', { limit: 1 }))).not.toContainEqual(
      expect.objectContaining({ state: expect.anything() }),
    );
  });

  test('a change is applied to its base', async () => {
    const { checkpoints } = await place().open();
    await checkpoints.save('loop', { state: { n: 1, log: ['a'], page: { x: 1, y: 2 } } });
    const change = { n: ['=', 2], log: ['+', ['b']], page: ['o', { x: ['=', 5] }, ['y']] } as const;
    await checkpoints.save('loop', { base: 'loop@1', change });
    await checkpoints.save('loop', { base: 'loop@1', change: { n: ['-'] } });
    expect(await checkpoints.load('loop@2')).toMatchObject({ state: { n: 2, log: ['a', 'b'], page: { x: 5 } } });
    expect(await checkpoints.latest('loop')).toMatchObject({
      parentId: 'loop@1',
      state: { log: ['a'], page: { x: 1, y: 2 } },
    });
  });

  test('what is no change, or does not fit, is refused', async () => {
    const { checkpoints, journal } = await place().open();
    await checkpoints.save('loop', { state: { n: 1 } });
    const refused = { code: 'HOLDFAST_INVALID_OPTION' };
    const save = (given: object): Promise<unknown> =>
      checkpoints.save('loop', given as { state: Record<string, unknown> });
    for (const given of [
      { change: {} },
      { base: 'loop@1', change: { n: ['?'] } },
      { base: 'loop@1', change: {}, state: {} },
      { base: 'loop@1', change: { n: ['+', [1]] } },
      { base: 1, state: {} },
      { state: {}, replace: true },
      { state: {}, tags: { a: ' ' } },
      { state: {}, parentId: 'loop' },
      { state: {}, parentId: 'other' },
    ]) {
      await expect(save(given), JSON.stringify(given)).rejects.toMatchObject(refused);
    }
    await expect(save({ base: 'loop@9', state: {} })).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    expect(await journal.tail('loop', 9)).toHaveLength(1);
  });

  test('any of them can be forked, and the fork continues from there', async () => {
    const engine = await place().open();
    await saveGrowing(engine, 30);
    await engine.checkpoints.fork('loop@17', { id: 'fork', set: { log: ['new'] } });
    await engine.checkpoints.fork('loop@9', { id: 'other' });
    await engine.checkpoints.save('other', { base: 'loop@3', state: { log: ['on an older one'] } });
    expect(await engine.checkpoints.latest('fork')).toMatchObject({ state: { log: ['new'] } });
    expect(await lengths(engine, 'other')).toEqual([1, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await engine.checkpoints.latest('other')).toMatchObject({ parentId: 'loop@3' });
  });

  test('pruning leaves the others as they were', async () => {
    const engine = await place().open();
    await saveGrowing(engine, 40);
    await engine.checkpoints.fork('loop@11', { id: 'fork' });
    expect(await engine.checkpoints.prune('loop', { keep: 5 })).toMatchObject({ pruned: 34, retained: 6 });
    expect(await lengths(engine, 'loop')).toEqual([40, 39, 38, 37, 36, 11]);
    expect(await lengths(engine, 'fork')).toEqual([11, 11]);
    expect(await engine.journal.tail('loop', 99)).toHaveLength(40);
    expect(await engine.verify()).toMatchObject({ ok: true });
  });

  test('pruning to a floor drops records too', async () => {
    const engine = await place().open();
    await engine.journal.append('loop', [{ payload: 'first' }, { payload: 'second' }]);
    await saveGrowing(engine, 10);
    // How many bytes go is an estimate where a file has several records.
    const { bytes, ...tried } = await engine.checkpoints.prune('loop', { keep: 2, records: true, dryRun: true });
    expect(bytes).toBeGreaterThan(0);
    expect(await engine.checkpoints.prune('loop', { keep: 2, records: true })).toMatchObject(tried);
    expect((await engine.journal.tail('loop', 99)).map(({ seq }) => seq)).toEqual([11, 12]);
    expect(await lengths(engine, 'loop')).toEqual([10, 9]);
    await expect(engine.checkpoints.save('loop', { state: {}, covers: 3 })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
    expect(await engine.checkpoints.prune('loop', { keep: 2, records: true })).toMatchObject({ pruned: 0 });
    await engine.checkpoints.fork('loop@12', { id: 'fork' });
    for (const n of [1, 2, 3]) await engine.checkpoints.save('fork', { state: { log: [n] } });
    expect(await engine.checkpoints.prune('fork', { keep: 2, records: true })).toMatchObject({ pruned: 2 });
    expect(await lengths(engine, 'fork')).toEqual([1, 1]);
    expect(await engine.verify()).toMatchObject({ ok: true });
  });

  test('an alias can be replaced, and what it named before is kept', async () => {
    const { checkpoints, journal } = await place().open();
    for (let n = 1; n <= 6; n += 1) {
      const given = { id: 'draft', state: { n }, replace: true };
      const saved = await checkpoints.save('loop', given);
      expect(await checkpoints.save('loop', given)).toEqual(saved);
      expect(await checkpoints.load('loop@draft')).toMatchObject({ id: `loop@${n}`, state: { n } });
    }
    expect(await checkpoints.load('loop@2')).toMatchObject({ state: { n: 2 } });
    expect((await journal.tail('loop', 9)).map(({ id }) => id)).toEqual(Array.from({ length: 6 }, () => 'draft'));
    await expect(checkpoints.save('loop', { id: 'draft', state: { n: 1 } })).rejects.toMatchObject({
      code: 'HOLDFAST_ID_TAKEN',
    });
    await checkpoints.fork('loop@3', { id: 'fork' });
    expect(await checkpoints.load('fork@draft')).toMatchObject({ id: 'loop@3' });
    await checkpoints.prune('loop', { keep: 2, records: true });
    await checkpoints.delete('fork');
    await checkpoints.prune('loop', { keep: 2, records: true });
    expect(await checkpoints.load('loop@draft')).toMatchObject({ id: 'loop@6' });
    await checkpoints.save('loop', { id: 'draft', state: { n: 7 }, replace: true });
    expect(await checkpoints.load('loop@draft')).toMatchObject({ id: 'loop@7' });
    expect(await checkpoints.load('loop@other')).toBeUndefined();
  });

  test('an alias outlives its record: the same again is the same checkpoint, another one may replace it', async () => {
    const { checkpoints, journal } = await place().open();
    const first = { id: 'first', state: { n: 1 } };
    const saved = await checkpoints.save('loop', first);
    await checkpoints.save('loop', { id: 'draft', state: { n: 2 } });
    await checkpoints.save('loop', { id: 'draft', state: { n: 3 }, replace: true });
    const batch = [{ id: 'a', payload: 1 }, { payload: 2 }, { id: 'b', payload: 3 }];
    const cursors = await journal.append('loop', batch);
    await checkpoints.save('loop', { state: { n: 4 } });
    expect(await checkpoints.prune('loop', { keep: 1, records: true })).toMatchObject({ pruned: 3, retained: 1 });
    expect((await journal.tail('loop', 9)).map(({ seq }) => seq)).toEqual([7]);

    expect(await checkpoints.save('loop', first)).toEqual(saved);
    expect(await checkpoints.save('loop', { id: 'draft', state: { n: 3 } })).toMatchObject({ id: 'loop@3' });
    expect(await checkpoints.load('loop@first')).toBeUndefined();
    const other = { id: 'draft', state: { n: 5 } };
    await expect(checkpoints.save('loop', other)).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
    expect(await checkpoints.save('loop', { ...other, replace: true })).toMatchObject({ id: 'loop@8' });
    expect(await checkpoints.save('loop', other)).toMatchObject({ id: 'loop@8' });
    expect(await checkpoints.load('loop@draft')).toMatchObject({ id: 'loop@8', state: { n: 5 } });

    expect(await journal.append('loop', batch)).toEqual(cursors);
    const changed = journal.append('loop', [{ id: 'a', payload: 1 }, { payload: 2 }, { id: 'b', payload: 'other' }]);
    await expect(changed).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
  });

  test('an alias whose first checkpoints were forgotten is still found', async () => {
    const { checkpoints } = await place().open();
    for (let n = 1; n <= 4; n += 1) await checkpoints.save('loop', { id: 'draft', state: { n }, replace: true });
    // The ids of pruned records go too.
    await checkpoints.prune('loop', { keep: 1, records: true, ids: 0 });
    expect(await checkpoints.load('loop@draft')).toMatchObject({ id: 'loop@4', state: { n: 4 } });
    expect(await checkpoints.save('loop', { id: 'draft', state: { n: 4 } })).toMatchObject({ id: 'loop@4' });
    await checkpoints.save('loop', { id: 'draft', state: { n: 5 }, replace: true });
    expect(await checkpoints.load('loop@draft')).toMatchObject({ id: 'loop@5' });
  });

  test('a fork that is pruned keeps the aliases of its base', async () => {
    const { checkpoints } = await place().open();
    const saved = await checkpoints.save('loop', { id: 'draft', state: { n: 1 } });
    await checkpoints.save('loop', { state: { n: 2 } });
    await checkpoints.fork('loop@2', { id: 'fork' });
    await checkpoints.save('fork', { state: { n: 3 } });
    await checkpoints.prune('fork', { keep: 1, records: true });
    await checkpoints.delete('loop');
    expect(await checkpoints.save('fork', { id: 'draft', state: { n: 1 } })).toEqual({ ...saved, id: 'fork@1' });
    const other = { id: 'draft', state: { n: 4 } };
    await expect(checkpoints.save('fork', other)).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
    await checkpoints.save('fork', { ...other, replace: true });
    expect(await checkpoints.load('fork@draft')).toMatchObject({ state: { n: 4 } });
  });

  test('runs have tags and a parent', async () => {
    const engine = await place().open();
    await engine.checkpoints.save('thread', { state: {}, tags: { user: 'ada' } });
    await engine.journal.append('inner', {}, { parentId: 'thread', tags: { ns: 'a' } });
    await engine.checkpoints.save('inner', { state: {}, parentId: 'thread' });
    expect((await all(engine.runs({ tags: { user: 'ada' } }))).map(({ id }) => id)).toEqual(['thread']);
    expect(await all(engine.runs({ parentId: 'thread' }))).toMatchObject([{ id: 'inner', tags: { ns: 'a' } }]);
    await engine.checkpoints.save('thread', { state: {}, tags: { user: 'bob' } });
    expect(await all(engine.runs({ tags: { user: 'ada' } }))).toEqual([]);
    await engine.delete('thread');
    expect(await all(engine.runs({}))).toEqual([]);
  });

  test('records are appended together, on condition of the last one', async () => {
    const { journal } = await place().open();
    const records = [{ payload: 1 }, { id: 'b', payload: 2 }, { payload: 3 }];
    const cursors = await journal.append('loop', records, { expect: 0 });
    expect(cursors).toEqual(['loop@1', 'loop@2', 'loop@3']);
    // What was appended before needs no condition.
    expect(await journal.append('loop', records, { expect: 0 })).toEqual(cursors);
    const conflict = { code: 'HOLDFAST_CONFLICT', details: { expect: 2, head: 3 } };
    await expect(journal.append('loop', [{}, {}], { expect: 2 })).rejects.toMatchObject(conflict);
    await expect(journal.append('loop', {}, { expect: 'loop@2' })).rejects.toMatchObject(conflict);
    expect(await journal.append('loop', {}, { expect: 'loop@3' })).toBe('loop@4');
    expect(await journal.append('loop', [])).toEqual([]);
    for (const [given, code] of [
      [[{ id: 'b', payload: 2 }, {}, {}], 'HOLDFAST_ID_TAKEN'],
      [[{ id: 'x' }, { id: 'x' }], 'HOLDFAST_INVALID_OPTION'],
    ] as const) {
      await expect(journal.append('loop', given)).rejects.toMatchObject({ code });
    }
    await expect(journal.append('loop', {}, { expect: 'else@1' })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_CURSOR',
    });
    expect(await journal.tail('loop', 9)).toHaveLength(4);
  });

  test('move to another store, redacted or not', async () => {
    const engine = await place().open();
    const state = { log: [] as string[], secret: { of: 'ada', note: '' } };
    for (let n = 0; n < 30; n += 1) {
      state.log.push(kilobyte(n));
      state.secret.note = `secret ${n}`;
      await engine.checkpoints.save('loop', { state });
    }
    await engine.checkpoints.save('loop', { base: 'loop@4', state: { log: ['branch'], secret: state.secret } });
    const other = await openEngine(memoryStore());
    await other.import(await exported(engine, 'loop'), { id: 'moved' });
    expect(await lengths(other, 'moved')).toEqual(await lengths(engine, 'loop'));
    const redacted = await exported(engine, 'loop', ['/state/secret/note']);
    expect(Buffer.from(redacted).includes('secret 2')).toBe(false);
    await other.import(redacted);
    expect(await lengths(other, 'loop')).toEqual(await lengths(engine, 'loop'));
    expect(await other.checkpoints.load('loop@20')).toMatchObject({
      state: { secret: { of: 'ada', note: '[redacted]' } },
    });
    await other.close();
  });
});

describeShared('checkpoints of two processes', (place) => {
  test('are compared with the latest, whoever saved it', async () => {
    const here = place();
    const engines = [await here.open(), await here.open()] as const;
    const state = { log: [] as string[] };
    for (let n = 0; n < 20; n += 1) {
      state.log.push(kilobyte(n));
      await engines[n % 2 === 0 ? 0 : 1].checkpoints.save('loop', { state });
    }
    expect(await lengths(engines[0], 'loop')).toEqual(Array.from({ length: 20 }, (_, n) => 20 - n));
    expect((await exported(engines[0], 'loop')).length).toBeLessThan(20 * 2.4 * 1_280);
  });
});
