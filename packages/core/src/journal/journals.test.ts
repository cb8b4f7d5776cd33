import { describe, expect, test, vi } from 'vitest';
import { all, createGraphRun, memoryParts } from '../testing/memory-parts.ts';

describe('append()', () => {
  test('writes to a graph run as an external writer', async () => {
    const { store, journal } = memoryParts();
    await createGraphRun(store, 'r');
    expect(await journal.append('r', { payload: 'seen' })).toBe('r@2');
    expect(await store.header('r')).toMatchObject({ kind: 'graph', head: 2 });
  });

  test('gives up when other writers are always faster', async () => {
    const { driver, journal } = memoryParts();
    await journal.append('r', {});
    vi.spyOn(driver, 'commit').mockImplementation(async (batches) =>
      batches.map(() => ({ ok: false, why: 'head', found: undefined, epoch: 0 })),
    );
    await expect(journal.append('r', {})).rejects.toMatchObject({ code: 'HOLDFAST_CONFLICT', details: { runId: 'r' } });
  });

  test.each(['a', 'b'])('takes two calls for a record without an id, in a fork too: %s', async (runId) => {
    const { store, journal, checkpoints } = memoryParts();
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@1', { id: 'b' });
    const calls = (['load', 'runs', 'page', 'snapshots', 'commit'] as const).map((name) => vi.spyOn(store, name));
    await journal.append(runId, {});
    expect(calls.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(2);
  });

  test('succeeds after an earlier one has failed', async () => {
    const { driver, journal } = memoryParts();
    vi.spyOn(driver, 'commit').mockRejectedValueOnce(new Error('unplugged'));
    const [first, second] = await Promise.allSettled([journal.append('r', {}), journal.append('r', {})]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
  });

  test('finds an id that the run shares with its base', async () => {
    const { journal, checkpoints } = memoryParts();
    await journal.append('a', { id: 'mail', payload: 1 });
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@2', { id: 'b' });
    expect(await journal.append('b', { id: 'mail', payload: 1 })).toBe('a@1');
  });
});

describe('read()', () => {
  test('takes a cursor of the base for the part that is shared, and none of another run', async () => {
    const { journal, checkpoints } = memoryParts();
    await journal.append('a', {});
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@2', { id: 'b' });
    const seqs = async (after: string): Promise<readonly number[]> =>
      (await all(journal.read('b', { after }))).map(({ seq }) => seq);
    expect(await seqs('a@1')).toEqual([2, 3]);
    expect(await seqs('b@1')).toEqual([2, 3]);
    await expect(seqs('a@3')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
    await expect(seqs('c@1')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
  });

  test.each([{ lable: 'x' }, { kind: 'nope' }, { source: 5 }, { label: 5 }])('refuses the filter %o', async (match) => {
    const { journal } = memoryParts();
    const reading = all(journal.read('r', match as object));
    await expect(reading).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    await expect(journal.tail('r', 1, match as object)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test.each([-1, 1.5, Number.NaN, '3'])('tail() refuses the number %o', async (n) => {
    await expect(memoryParts().journal.tail('r', n as number)).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
  });

  test('reports a run that was forked from a missing run as corrupt', async () => {
    const { disk, journal, checkpoints } = memoryParts();
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@1', { id: 'b' });
    disk.runs.delete('a');
    await expect(journal.tail('b', 1)).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT', details: { where: 'a' } });
  });
});
