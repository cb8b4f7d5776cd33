import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { counter, graph, HoldfastError, workflow } from 'holdfast';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../packages/core/src/async/deferred.ts';
import { driverAbove } from './driver-above.ts';
import { all, describeDocument, openForTest, temporaryFolder } from './every-store.ts';

const badIds: readonly unknown[] = [
  '../../etc/passwd',
  '../x',
  '/etc/passwd',
  'a/b',
  '.',
  '',
  'nul\0byte',
  'x'.repeat(300),
  'naïve',
  '__proto__',
  'constructor',
  'toString',
  { toString: () => 'sneaky' },
  7,
  null,
  undefined,
  ['r'],
];

describeDocument('004', ({ fresh, store, shared }) => {
  test('a workflow checkpoint comes back as it was: run, workflow, super-step, next node and scope', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('run-1', { graph: 'wf', superstep: 3, next: ['tool'], state: { input: { k: 'v' } } });
    expect(await checkpoints.latest('run-1')).toMatchObject({
      runId: 'run-1',
      graph: 'wf',
      superstep: 3,
      next: ['tool'],
      state: { input: { k: 'v' } },
    });
  });

  test('the history is kept, not only the last', async () => {
    const { checkpoints } = await fresh();
    for (const n of [1, 2, 3]) await checkpoints.save('run-1', { graph: 'wf', superstep: n, state: { n } });
    expect((await all(checkpoints.list('run-1'))).map(({ superstep }) => superstep)).toEqual([3, 2, 1]);
    expect(await checkpoints.load('run-1@2')).toMatchObject({ state: { n: 2 } });
  });

  test('loading from a run that is not there is nothing', async () => {
    const { checkpoints } = await fresh();
    expect(await checkpoints.latest('missing')).toBeUndefined();
    expect(await checkpoints.load('missing@1')).toBeUndefined();
    expect(await checkpoints.load('missing@alias')).toBeUndefined();
    await checkpoints.save('run-1', { state: {} });
    expect(await checkpoints.load('run-1@2')).toBeUndefined();
  });

  test('deleting a run takes all of it; deleting one that is not there is fine', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('run-1', { state: {} });
    expect(await checkpoints.delete('run-1')).toBe(true);
    expect(await checkpoints.latest('run-1')).toBeUndefined();
    expect(await checkpoints.delete('run-1')).toBe(false);
  });

  test('a run resumes with its whole state: counters and outputs are not lost', async () => {
    const place = store();
    const state = { counter: 7, outputs: { fetch: ['a', 'b'], parse: new Map([['a', 1n]]) }, at: new Date(3) };
    const before = await openForTest(place);
    await before.checkpoints.save('run-1', { graph: 'wf', superstep: 3, next: ['tool'], state });
    await before.close();
    const after = await openForTest(place);
    expect(await after.checkpoints.latest('run-1')).toMatchObject({ next: ['tool'], state });
  });

  test.each(badIds.map((id) => [id]))('the id %j is refused before anything is touched', async (id) => {
    const { journal, checkpoints } = await fresh();
    const run = id as string;
    const refusal = { code: 'HOLDFAST_INVALID_ID' };
    await expect(checkpoints.save(run, { state: {} })).rejects.toMatchObject(refusal);
    await expect(checkpoints.latest(run)).rejects.toMatchObject(refusal);
    await expect(checkpoints.atSuperstep(run, 1)).rejects.toMatchObject(refusal);
    await expect(checkpoints.delete(run)).rejects.toMatchObject(refusal);
    await expect(checkpoints.prune(run, { keep: 1 })).rejects.toMatchObject(refusal);
    await expect(all(checkpoints.list(run))).rejects.toMatchObject(refusal);
    await expect(journal.append(run, {})).rejects.toMatchObject(refusal);
    await expect(journal.tail(run, 1)).rejects.toMatchObject(refusal);
    await expect(all(journal.read(run))).rejects.toMatchObject(refusal);
  });

  test('a stale writer is refused: two engines that save one id never both win', async () => {
    const place = store();
    // A store that one process writes to has one engine, which is asked twice.
    const first = await openForTest(place);
    const engines = [first, shared ? await openForTest(place) : first];
    const saves = engines.map(({ checkpoints }, n) => checkpoints.save('run-1', { id: 'first', state: { n } }));
    const settled = await Promise.allSettled(saves);
    const refused = settled.filter((one) => one.status === 'rejected').map((one): unknown => one.reason);
    expect(refused).toHaveLength(1);
    expect(HoldfastError.is(refused[0], 'HOLDFAST_ID_TAKEN')).toBe(true);
  });

  test('what cannot be saved is refused with its path, and nothing is written', async () => {
    const { journal, checkpoints } = await fresh();
    const saving = checkpoints.save('run-1', { state: { deep: [{ fn: () => {} }] } });
    await expect(saving).rejects.toMatchObject({ code: 'HOLDFAST_UNSERIALIZABLE' });
    await expect(saving).rejects.toThrow('/deep/0/fn');
    expect(await journal.tail('run-1', 1)).toEqual([]);
  });

  test('what a caller changes after saving is not saved', async () => {
    const { checkpoints } = await fresh();
    const state = { list: [1] };
    const saving = checkpoints.save('run-1', { state });
    state.list.push(2);
    await saving;
    expect(await checkpoints.latest('run-1')).toMatchObject({ state: { list: [1] } });
  });

  test('a checkpoint with something unknown or of a wrong kind in it is refused', async () => {
    const { checkpoints } = await fresh();
    const wrong: readonly unknown[] = [
      null,
      {},
      { state: 5 },
      { state: [] },
      { state: {}, stat: {} },
      { state: {}, superstep: -1 },
      { state: {}, superstep: 1.5 },
      { state: {}, covers: 'all' },
      { state: {}, next: 'tool' },
      { state: {}, label: 7 },
      { state: {}, graph: 7 },
      { state: {}, status: 'nope' },
      { state: {}, status: 'terminal:' },
      { state: {}, metadata: 7 },
      { state: {}, metadata: { verson: 1 } },
      { state: {}, metadata: { version: 'x' } },
    ];
    for (const checkpoint of wrong) {
      const saving = checkpoints.save('run-1', checkpoint as { state: object } as never);
      await expect(saving, JSON.stringify(checkpoint)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    }
    await expect(checkpoints.save('run-1', { state: {}, id: '17' })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_ID',
    });
  });
});

/** Every file below a folder, by its path. */
function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return names.filter((name) => statSync(name).isFile()).toSorted();
}

/** What reading a file that belongs to somebody else comes to. */
function denied(): Promise<never> {
  return Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }));
}

describeDocument('004', ({ store }) => {
  test('a run resumes at its next node with its counters, and every finished step is given back, not done again', async () => {
    const place = store();
    const ran: string[] = [];
    const hangs = deferred();
    let lives = 0;
    const code = graph('wf', { state: { rounds: counter(), found: z.array(z.string()).default([]) } })
      .node('count', () => (ran.push('count'), { rounds: 1 }))
      .node('fetch', async ({ step, state }) => {
        const page = await step('page', () => (ran.push('page'), 'page 1'));
        const parsed = await step('parse', async () => {
          hangs.resolve();
          if (lives === 0) await new Promise(() => {});
          return `round ${state.rounds}`;
        });
        return { found: [page, parsed] };
      })
      .edge('start', 'count')
      .route('count', ['count', 'fetch'], ({ rounds }) => (rounds < 3 ? 'count' : 'fetch'))
      .edge('fetch', 'end')
      .compile();
    const before = await openForTest(place);
    const begun = await before.start(code, {}, { id: 'run-1' });
    await hangs.promise;
    expect(await begun.checkpoint()).toMatchObject({ next: ['fetch'], state: { rounds: 3 } });
    await before.close();
    lives = 1;
    const after = await openForTest(place, { graphs: [code] });
    await after.recover();
    expect(await (await after.get(code, 'run-1')).result()).toEqual({ rounds: 3, found: ['page 1', 'round 3'] });
    expect(ran).toEqual(['count', 'count', 'count', 'page']);
  });

  test('a store that may not be read is an error, never a missing run', async () => {
    const place = store();
    const before = await openForTest(place);
    await before.checkpoints.save('run-1', { state: {} });
    await before.close();
    const unreadable = driverAbove(place, () => ({ load: denied, runs: denied, snapshots: denied }));
    const { checkpoints } = await openForTest(unreadable);
    const failure = { code: 'HOLDFAST_STORE_FAILED', message: expect.stringContaining('permission denied') };
    await expect(checkpoints.latest('run-1')).rejects.toMatchObject(failure);
    await expect(checkpoints.load('run-1@1')).rejects.toMatchObject(failure);
    await expect(all(checkpoints.list('run-1'))).rejects.toMatchObject(failure);
    await expect(checkpoints.delete('run-1')).rejects.toMatchObject(failure);
  });

  test('a writer whose run was taken from it is refused', async () => {
    const place = store();
    const begun = deferred();
    const finish = deferred();
    const slow = workflow('slow', { input: z.object({}) }, async () => {
      begun.resolve();
      await finish.promise;
      return 'mine';
    });
    const refusals: unknown[] = [];
    // As if another worker had claimed the run while this one slept: every commit of an owner comes with an old fence.
    let stale = false;
    const watched = driverAbove(place, (driver) => ({
      commit: async (batches) => {
        const sent = stale ? batches.map((b) => (b.fence === null ? b : { ...b, fence: b.fence - 1 })) : batches;
        const results = await driver.commit(sent);
        refusals.push(...results.flatMap((result) => (result.ok ? [] : [result.why])));
        return results;
      },
    }));
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    try {
      const engine = await openForTest(watched, { graphs: [slow] });
      const run = await engine.start(slow, {}, { id: 'run-1' });
      await begun.promise;
      stale = true;
      finish.resolve();
      const isOver = async (): Promise<boolean> => refusals.length > 0 || (await run.summary()).status === 'completed';
      await vi.waitFor(async () => expect(await isOver()).toBe(true), { timeout: 50_000 });
      expect(refusals).toContain('fence');
      expect((await run.summary()).status).not.toBe('completed');
    } finally {
      warn.mockRestore();
    }
  });
});

describeDocument(
  '004',
  ({ at }) => {
    test('save creates the directory, and those above it', async () => {
      const path = join(temporaryFolder(), 'not', 'there', 'yet');
      const engine = await openForTest(at(path));
      await engine.checkpoints.save('run-1', { state: { n: 1 } });
      await engine.close();
      expect(filesIn(join(path, '..')).length).toBeGreaterThan(0);
      expect(await (await openForTest(at(path))).checkpoints.latest('run-1')).toMatchObject({ state: { n: 1 } });
    });

    test('an id that leads elsewhere makes no file', async () => {
      const folder = temporaryFolder();
      const { checkpoints } = await openForTest(at(join(folder, 'runs')));
      const before = filesIn(folder);
      for (const run of ['../x', '/etc/passwd', '', 'nul\0byte']) {
        await expect(checkpoints.save(run, { state: {} })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
      }
      expect(filesIn(folder)).toEqual(before);
    });

    test('a byte that changed on the disk is found, and an older checkpoint is used', async () => {
      const folder = temporaryFolder();
      const path = join(folder, 'runs');
      const before = await openForTest(at(path));
      await before.checkpoints.save('run-1', { state: { text: 'the older one' } });
      await before.checkpoints.save('run-1', { state: { text: 'the newer one' } });
      await before.close();
      for (const file of filesIn(folder)) {
        const bytes = readFileSync(file);
        const place = bytes.indexOf('the newer one');
        if (place >= 0)
          writeFileSync(file, Buffer.concat([bytes.subarray(0, place), Buffer.from('T'), bytes.subarray(place + 1)]));
      }
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      try {
        const { checkpoints } = await openForTest(at(path));
        expect(await checkpoints.latest('run-1')).toMatchObject({ id: 'run-1@1', state: { text: 'the older one' } });
        await expect(checkpoints.load('run-1@2')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
        expect(warn.mock.calls[0]?.[0]).toContain('corrupt');
      } finally {
        warn.mockRestore();
      }
    });

    test('a place that cannot be used as a store is a typed error, never an empty store', async () => {
      const path = join(temporaryFolder(), 'runs');
      const before = await openForTest(at(path));
      await before.checkpoints.save('run-1', { state: {} });
      await before.close();
      const isFolder = statSync(path).isDirectory();
      rmSync(path, { recursive: true });
      if (isFolder) writeFileSync(path, 'not a folder');
      else mkdirSync(path);
      await expect(openForTest(at(path))).rejects.toMatchObject({ code: expect.stringMatching(/^HOLDFAST_STORE_/) });
    });
  },
  { onDisk: true },
);
