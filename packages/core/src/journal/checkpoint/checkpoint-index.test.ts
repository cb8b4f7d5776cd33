import { describe, expect, test, vi } from 'vitest';
import { openSnapshot, sealSnapshot } from '../../store/commit/encode.ts';
import type { StoredSnapshot } from '../../store/contract/commit.ts';
import type { MemoryRun } from '../../store/memory/memory-run.ts';
import { all, corruptSnapshot, memoryParts } from '../../testing/memory-parts.ts';
import { missingKey } from '../../value/secret/secret.ts';

describe('latest()', () => {
  test.each(['head', 'body'] as const)(
    'falls back to the newest good checkpoint when a %s is corrupt, and says so',
    async (part) => {
      const { disk, checkpoints, warnings } = memoryParts();
      for (const n of [1, 2]) await checkpoints.save('r', { state: { n } });
      corruptSnapshot(disk, 'r', -1, part);
      expect(await checkpoints.latest('r')).toMatchObject({ id: 'r@1', state: { n: 1 } });
      expect(warnings).toEqual([expect.stringContaining('corrupt')]);
    },
  );

  test('gives nothing when every checkpoint is corrupt', async () => {
    const { disk, checkpoints } = memoryParts();
    await checkpoints.save('r', { state: {} });
    corruptSnapshot(disk, 'r', -1, 'body');
    expect(await checkpoints.latest('r')).toBeUndefined();
  });

  test('falls back when the checkpoint that a fork points at has lost its state', async () => {
    const { disk, checkpoints, warnings } = memoryParts();
    await checkpoints.save('a', { state: { n: 1 } });
    await checkpoints.save('a', { state: { n: 2 } });
    await checkpoints.fork('a@2', { id: 'b' });
    (disk.runs.get('a') as MemoryRun).snapshots.pop();
    expect(await checkpoints.latest('b')).toMatchObject({ id: 'a@1' });
    expect(warnings).toEqual([expect.stringContaining('is missing')]);
  });

  test('refuses checkpoints that point at each other', async () => {
    const { disk, checkpoints, warnings } = memoryParts();
    await checkpoints.save('a', { state: { n: 1 } });
    await checkpoints.fork('a@1', { id: 'b' });
    const [a, b] = ['a', 'b'].map((id) => disk.runs.get(id) as MemoryRun) as [MemoryRun, MemoryRun];
    const fork = openSnapshot('b', b.snapshots[0] as StoredSnapshot, missingKey);
    const body = { from: { runId: 'a', covers: 0, seq: 1 }, set: {} };
    const cycle = sealSnapshot({ runId: 'a', seq: 1 }, { covers: 0, head: fork.ok && fork.head, body }, undefined);
    a.snapshots[0] = cycle;
    expect(await checkpoints.latest('b')).toBeUndefined();
    expect(warnings).toHaveLength(2);
  });

  test('reads the header and the lineage in one call, however many forks there are', async () => {
    const { driver, checkpoints } = memoryParts();
    await checkpoints.save('r0', { state: { n: 1 } });
    for (let n = 1; n <= 5; n += 1) await checkpoints.fork(`r${n - 1}@${n}`, { id: `r${n}` });
    const [load, runs] = [vi.spyOn(driver, 'load'), vi.spyOn(driver, 'snapshots')];
    expect(await checkpoints.latest('r5')).toMatchObject({ id: 'r5@6', parentId: 'r4@5', state: { n: 1 } });
    expect(load).toHaveBeenCalledTimes(1);
    expect(runs.mock.calls.filter(([query]) => !query.bodies)).toHaveLength(2);
  });

  test('passes on what is not corruption', async () => {
    const { driver, checkpoints } = memoryParts();
    await checkpoints.save('r', { state: {} });
    vi.spyOn(driver, 'snapshots').mockRejectedValue(new Error('unplugged'));
    await expect(checkpoints.latest('r')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  });

  test('passes on a failure that comes after the head was read', async () => {
    const { driver, checkpoints } = memoryParts();
    await checkpoints.save('r', { state: {} });
    const read = driver.snapshots.bind(driver);
    vi.spyOn(driver, 'snapshots').mockImplementation(async (query) => {
      if (query.bodies) throw new Error('unplugged');
      return read(query);
    });
    await expect(checkpoints.latest('r')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  });
});

describe('load()', () => {
  test('refuses a corrupt checkpoint that was asked for by name', async () => {
    const { disk, checkpoints } = memoryParts();
    await checkpoints.save('r', { state: {} });
    corruptSnapshot(disk, 'r', -1, 'head');
    await expect(checkpoints.load('r@1')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
  });

  test('gives nothing for a record that is no checkpoint', async () => {
    const { journal, checkpoints } = memoryParts();
    await journal.append('r', { id: 'mail' });
    await checkpoints.save('r', { state: {} });
    expect(await checkpoints.load('r@1')).toBeUndefined();
    expect(await checkpoints.load('r@mail')).toBeUndefined();
    expect(await checkpoints.load('r@0')).toBeUndefined();
  });

  test('does not find a record that the base wrote after it was forked', async () => {
    const { checkpoints } = memoryParts();
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@1', { id: 'b' });
    await checkpoints.save('a', { id: 'later', state: {} });
    expect(await checkpoints.load('b@later')).toBeUndefined();
    expect(await checkpoints.load('a@later')).toMatchObject({ id: 'a@2' });
  });

  test('does not parse an id that is none', async () => {
    await expect(memoryParts().checkpoints.load('nonsense')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
  });
});

describe('list()', () => {
  test('skips a corrupt checkpoint with a warning', async () => {
    const { disk, checkpoints, warnings } = memoryParts();
    for (const n of [1, 2, 3]) await checkpoints.save('r', { state: { n } });
    corruptSnapshot(disk, 'r', -2, 'head');
    expect((await all(checkpoints.list('r'))).map(({ id, parentId }) => [id, parentId])).toEqual([
      ['r@3', 'r@1'],
      ['r@1', null],
    ]);
    expect(warnings).toHaveLength(1);
  });

  test('gives many in order, page by page', async () => {
    const { checkpoints } = memoryParts();
    for (let n = 1; n <= 300; n += 1) await checkpoints.save('r', { state: {} });
    const seqs = (await all(checkpoints.list('r'))).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 300 }, (_, n) => 300 - n));
  });

  test("keeps a fork's checkpoint that covers less than its base's in its place", async () => {
    const { journal, checkpoints } = memoryParts();
    for (let n = 0; n < 5; n += 1) await journal.append('a', {});
    await checkpoints.save('a', { state: { n: 'base' } });
    await checkpoints.fork('a@6', { id: 'b' });
    await checkpoints.save('b', { state: { n: 'narrow' }, covers: 2 });
    expect((await all(checkpoints.list('b'))).map(({ id }) => id)).toEqual(['b@7', 'a@6', 'b@8']);
    expect(await checkpoints.atOrBefore('b@3')).toMatchObject({ id: 'b@8' });
  });
});
