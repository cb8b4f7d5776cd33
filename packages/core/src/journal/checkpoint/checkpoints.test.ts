import { describe, expect, test, vi } from 'vitest';
import type { TrimPlan } from '../../store/contract/retention.ts';
import { corruptSnapshot, createGraphRun, memoryParts } from '../../testing/memory-parts.ts';

describe('save()', () => {
  test('refuses a graph run', async () => {
    const { store, checkpoints, journal } = memoryParts();
    await createGraphRun(store, 'r');
    const tagging = journal.append('r', {}, { tags: { a: 'b' } });
    await expect(tagging).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    const refusal = { code: 'HOLDFAST_GRAPH_RUN', details: { runId: 'r' } };
    await expect(checkpoints.save('r', { state: {} })).rejects.toMatchObject(refusal);
    await expect(checkpoints.latest('r')).rejects.toMatchObject(refusal);
    await expect(checkpoints.prune('r', { keep: 1 })).rejects.toMatchObject(refusal);
  });

  test('refuses an id that another kind of record has', async () => {
    const { journal, checkpoints } = memoryParts();
    await journal.append('r', { id: 'x' });
    await expect(checkpoints.save('r', { id: 'x', state: {} })).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
  });

  test("shows in the run's header where the loop stands", async () => {
    const { store, checkpoints } = memoryParts();
    await checkpoints.save('r', { graph: 'wf', state: {}, superstep: 4, next: ['tool'], status: 'waiting' });
    expect(await store.header('r')).toMatchObject({
      kind: 'journal',
      graph: 'wf',
      superstep: 4,
      frontier: ['tool'],
      status: 'waiting',
    });
  });

  test.each([
    ['terminal:done', 'completed'],
    ['Completed', 'completed'],
    ['failed', 'failed'],
    ['CANCELLED', 'cancelled'],
  ])('the status %s is %s in the header', async (status, shown) => {
    const { store, checkpoints } = memoryParts();
    await checkpoints.save('r', { state: {}, status: status as 'failed' });
    expect(await store.header('r')).toMatchObject({ status: shown });
  });
});

describe('prune()', () => {
  test('plans again when a checkpoint was forked in between', async () => {
    const { driver, checkpoints } = memoryParts();
    for (const n of [1, 2, 3]) await checkpoints.save('a', { state: { n } });
    const trim = driver.trim.bind(driver);
    vi.spyOn(driver, 'trim').mockImplementationOnce(async (plan: TrimPlan) => {
      await checkpoints.fork('a@1', { id: 'b' });
      return trim(plan);
    });
    expect(await checkpoints.prune('a', { keep: 1 })).toMatchObject({
      pruned: 1,
      protectedBy: [{ checkpoint: 'a@1' }],
    });
    expect(await checkpoints.latest('b')).toMatchObject({ state: { n: 1 } });
  });

  test('reports nothing for a run that was deleted in between', async () => {
    const { driver, checkpoints } = memoryParts();
    for (const n of [1, 2]) await checkpoints.save('a', { state: { n } });
    const trim = driver.trim.bind(driver);
    vi.spyOn(driver, 'trim').mockImplementationOnce(async (plan: TrimPlan) => {
      await checkpoints.delete('a');
      return trim(plan);
    });
    expect(await checkpoints.prune('a', { keep: 1 })).toMatchObject({ runs: 0, pruned: 0 });
  });

  test('gives up with HOLDFAST_CONFLICT when every plan is refused', async () => {
    const { driver, checkpoints } = memoryParts();
    for (const n of [1, 2]) await checkpoints.save('a', { state: { n } });
    vi.spyOn(driver, 'trim').mockResolvedValue({ ok: false, why: 'forks' });
    await expect(checkpoints.prune('a', { keep: 1 })).rejects.toMatchObject({
      code: 'HOLDFAST_CONFLICT',
      details: { runId: 'a' },
    });
  });

  test('keeps the checkpoints of every fork, however many there are', async () => {
    const { checkpoints } = memoryParts();
    for (const n of [1, 2]) await checkpoints.save('a', { state: { n } });
    for (let n = 0; n < 260; n += 1) await checkpoints.fork('a@2', { id: `fork-${n}` });
    await checkpoints.fork('a@1', { id: 'last' });
    await checkpoints.save('a', { state: {} });
    expect(await checkpoints.prune('a', { keep: 1 })).toMatchObject({ pruned: 0, retained: 3 });
  });

  test('leaves a corrupt checkpoint for a person to decide', async () => {
    const { disk, checkpoints } = memoryParts();
    for (const n of [1, 2, 3]) await checkpoints.save('a', { state: { n } });
    corruptSnapshot(disk, 'a', -3, 'head');
    expect(await checkpoints.prune('a', { keep: 1 })).toMatchObject({ pruned: 1, retained: 1 });
  });
});

describe('fork()', () => {
  test('is refused when its checkpoint was pruned in between', async () => {
    const { driver, checkpoints } = memoryParts();
    for (const n of [1, 2]) await checkpoints.save('a', { state: { n } });
    const commit = driver.commit.bind(driver);
    vi.spyOn(driver, 'commit').mockImplementationOnce(async (batches) => {
      await checkpoints.prune('a', { keep: 1 });
      return commit(batches);
    });
    await expect(checkpoints.fork('a@1')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
  });

  test('refuses to set a channel to undefined', async () => {
    const { checkpoints } = memoryParts();
    await checkpoints.save('a', { state: { n: 1 } });
    const forking = checkpoints.fork('a@1', { set: { n: undefined } });
    await expect(forking).rejects.toMatchObject({ code: 'HOLDFAST_UNKNOWN_CHANNEL' });
  });
});

describe('delete()', () => {
  test('plans again when the run was forked in between', async () => {
    const { driver, checkpoints } = memoryParts();
    await checkpoints.save('a', { state: { n: 1 } });
    const trim = driver.trim.bind(driver);
    vi.spyOn(driver, 'trim').mockImplementationOnce(async (plan: TrimPlan) => {
      await checkpoints.fork('a@1', { id: 'b' });
      return trim(plan);
    });
    expect(await checkpoints.delete('a')).toBe(true);
    expect(await checkpoints.latest('b')).toMatchObject({ state: { n: 1 } });
  });

  test('removes hidden bases with the last fork, all the way down', async () => {
    const { disk, checkpoints } = memoryParts();
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@1', { id: 'b' });
    await checkpoints.fork('b@2', { id: 'c' });
    await checkpoints.fork('b@2', { id: 'd' });
    for (const runId of ['a', 'b', 'c']) expect(await checkpoints.delete(runId)).toBe(true);
    expect([...disk.runs.keys()]).toEqual(['a', 'b', 'd']);
    expect(await checkpoints.delete('d')).toBe(true);
    expect([...disk.runs.keys()]).toEqual([]);
  });
});

describe('diff()', () => {
  test('compares two checkpoints, or the last ones before two cursors, of one run or of two', async () => {
    const { journal, checkpoints } = memoryParts();
    await checkpoints.save('r', { graph: 'wf', state: { a: 1, log: ['x'] } });
    await journal.append('r', { payload: 'between' });
    await checkpoints.save('r', { state: { a: 2, log: ['x', 'y'] } });
    await checkpoints.save('other', { state: { a: 1 } });
    await checkpoints.save('r', { state: { a: 3 } });
    expect(await checkpoints.diff('r@1', 'r@3')).toEqual([
      { op: 'replace', path: '/a', before: 1, after: 2 },
      { op: 'add', path: '/log/1', after: 'y' },
    ]);
    expect(await checkpoints.diff('r@2', 'r@3')).toEqual([]);
    expect(await checkpoints.diff('r@1', 'other@1')).toEqual([{ op: 'remove', path: '/log', before: ['x'] }]);
  });

  test('refuses a place without a checkpoint', async () => {
    const { journal, checkpoints } = memoryParts();
    await journal.append('r', { payload: 1 });
    await expect(checkpoints.diff('r@1', 'r@1')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(checkpoints.diff('r', 'r@1')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
  });
});
