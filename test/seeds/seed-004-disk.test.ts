import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { counter, graph, workflow } from 'holdfast';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../packages/core/src/async/deferred.ts';
import { driverAbove } from './driver-above.ts';
import { all, describeSeed, openForTest, temporaryFolder } from './every-store.ts';

/** Every file below a folder, by its path. */
function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return names.filter((name) => statSync(name).isFile()).toSorted();
}

/** What reading a file that belongs to somebody else comes to. */
function denied(): Promise<never> {
  return Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }));
}

describeSeed('004', ({ store }) => {
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
    expect(await begun.state()).toMatchObject({ next: ['fetch'], state: { rounds: 3 } });
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
    const unreadable = driverAbove(place, () => ({ runs: denied, snapshots: denied }));
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
      await vi.waitFor(() => expect(refusals).toEqual(['fence']), { timeout: 10_000 });
      expect((await run.summary()).status).not.toBe('completed');
    } finally {
      warn.mockRestore();
    }
  });
});

describeSeed(
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

    test('an id that leads elsewhere touches no file', async () => {
      const folder = temporaryFolder();
      const { checkpoints } = await openForTest(at(join(folder, 'runs')));
      const before = filesIn(folder).map((name) => [name, statSync(name).mtimeMs]);
      for (const run of ['../x', '/etc/passwd', '', 'nul\0byte']) {
        await expect(checkpoints.save(run, { state: {} })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
      }
      expect(filesIn(folder).map((name) => [name, statSync(name).mtimeMs])).toEqual(before);
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
        await expect(checkpoints.load('run-1@2')).rejects.toMatchObject({ code: 'HOLDFAST_DAMAGED' });
        expect(warn.mock.calls[0]?.[0]).toContain('damaged');
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
