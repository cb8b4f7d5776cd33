import { describe, expect, test, vi } from 'vitest';
import { type Env } from '../env/env.ts';
import { nodeEnv } from '../env/node-env.ts';
import { CheckedStore } from '../store/checked-store.ts';
import type { StoredSnapshot, TrimPlan } from '../store/contract.ts';
import { MemoryDisk } from '../store/memory/memory-disk.ts';
import { MemoryDriver } from '../store/memory/memory-driver.ts';
import type { MemoryRun } from '../store/memory/memory-run.ts';
import { type Checkpoints, createCheckpoints } from './checkpoints.ts';
import { createJournals, type Journals } from './journals.ts';
import { RunWriter } from './run-writer.ts';

interface Parts {
  readonly disk: MemoryDisk;
  readonly driver: MemoryDriver;
  readonly store: CheckedStore;
  readonly journal: Journals;
  readonly checkpoints: Checkpoints;
  readonly warn: ReturnType<typeof vi.fn<Env['warn']>>;
}

/** The facades over a memory store whose disk the test can reach. */
function parts(): Parts {
  const disk = new MemoryDisk();
  const warn = vi.fn<Env['warn']>();
  const env: Env = { ...nodeEnv, warn };
  const driver = new MemoryDriver(disk, env);
  const store = new CheckedStore(driver, env);
  const writer = new RunWriter(store, env);
  const given = { store, env, writer };
  return { disk, driver, store, warn, journal: createJournals(given), checkpoints: createCheckpoints(given) };
}

function damage(disk: MemoryDisk, run: string, at: number, part: 'head' | 'body'): void {
  const { snapshots } = disk.runs.get(run) as MemoryRun;
  const snapshot = snapshots.at(at) as StoredSnapshot;
  const sealed = snapshot[part];
  snapshots[snapshots.length + at] = { ...snapshot, [part]: { text: `${sealed?.text} `, crc: sealed?.crc } };
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function engineRun(store: CheckedStore, run: string): Promise<void> {
  const of = { loop: false, graph: 'g', version: 1, base: null, parent: null, createdAt: 0, worker: null };
  const header = { status: 'pending', step: 0, frontier: [], waits: [], wakeAt: 0, tags: {} } as const;
  await store.commit({ run, writer: { by: 'creator', of }, expect: 0, entries: [{ kind: 'run-start', at: 0 }], header });
}

describe('latest()', () => {
  test.each(['head', 'body'] as const)('falls back to the newest good checkpoint when a %s is damaged, and says so', async (part) => {
    const { disk, checkpoints, warn } = parts();
    for (const n of [1, 2]) await checkpoints.save('r', { state: { n } });
    damage(disk, 'r', -1, part);
    expect(await checkpoints.latest('r')).toMatchObject({ id: 'r@1', state: { n: 1 } });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('damaged'));
  });

  test('gives nothing when every checkpoint is damaged', async () => {
    const { disk, checkpoints } = parts();
    await checkpoints.save('r', { state: {} });
    damage(disk, 'r', -1, 'body');
    expect(await checkpoints.latest('r')).toBeUndefined();
  });

  test('falls back when the checkpoint that a fork points at has lost its state', async () => {
    const { disk, checkpoints, warn } = parts();
    await checkpoints.save('a', { state: { n: 1 } });
    await checkpoints.save('a', { state: { n: 2 } });
    await checkpoints.fork('a@2', { id: 'b' });
    (disk.runs.get('a') as MemoryRun).snapshots.pop();
    expect(await checkpoints.latest('b')).toMatchObject({ id: 'a@1' });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('lost its state'));
  });

  test('passes on what is not damage', async () => {
    const { driver, checkpoints } = parts();
    await checkpoints.save('r', { state: {} });
    vi.spyOn(driver, 'snapshots').mockRejectedValue(new Error('unplugged'));
    await expect(checkpoints.latest('r')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  });

  test('passes on a failure that comes after the head was read', async () => {
    const { driver, checkpoints } = parts();
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
  test('refuses a damaged checkpoint that was asked for by name', async () => {
    const { disk, checkpoints } = parts();
    await checkpoints.save('r', { state: {} });
    damage(disk, 'r', -1, 'head');
    await expect(checkpoints.load('r@1')).rejects.toMatchObject({ code: 'HOLDFAST_DAMAGED' });
  });

  test('gives nothing for a record that is no checkpoint', async () => {
    const { journal, checkpoints } = parts();
    await journal.append('r', { id: 'mail' });
    await checkpoints.save('r', { state: {} });
    expect(await checkpoints.load('r@1')).toBeUndefined();
    expect(await checkpoints.load('r@mail')).toBeUndefined();
    expect(await checkpoints.load('r@0')).toBeUndefined();
  });

  test('does not find a record that the base wrote after it was forked', async () => {
    const { checkpoints } = parts();
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@1', { id: 'b' });
    await checkpoints.save('a', { id: 'later', state: {} });
    expect(await checkpoints.load('b@later')).toBeUndefined();
    expect(await checkpoints.load('a@later')).toMatchObject({ id: 'a@2' });
  });

  test('does not parse an id that is none', async () => {
    await expect(parts().checkpoints.load('nonsense')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
  });
});

describe('list()', () => {
  test('passes over a damaged checkpoint, and says so', async () => {
    const { disk, checkpoints, warn } = parts();
    for (const n of [1, 2, 3]) await checkpoints.save('r', { state: { n } });
    damage(disk, 'r', -2, 'head');
    expect((await all(checkpoints.list('r'))).map(({ id, parent }) => [id, parent])).toEqual([
      ['r@3', 'r@1'],
      ['r@1', null],
    ]);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('gives many in order, page by page', async () => {
    const { checkpoints } = parts();
    for (let n = 1; n <= 300; n += 1) await checkpoints.save('r', { state: {} });
    const seqs = (await all(checkpoints.list('r'))).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 300 }, (_, n) => 300 - n));
  });

  test("keeps a fork's checkpoint that covers less than its base's in its place", async () => {
    const { journal, checkpoints } = parts();
    for (let n = 0; n < 5; n += 1) await journal.append('a', {});
    await checkpoints.save('a', { state: { n: 'base' } });
    await checkpoints.fork('a@6', { id: 'b' });
    await checkpoints.save('b', { state: { n: 'narrow' }, covers: 2 });
    expect((await all(checkpoints.list('b'))).map(({ id }) => id)).toEqual(['b@7', 'a@6', 'b@8']);
    expect(await checkpoints.atOrBefore('b@3')).toMatchObject({ id: 'b@8' });
  });
});

describe('save()', () => {
  test('refuses a run that the engine executes', async () => {
    const { store, checkpoints } = parts();
    await engineRun(store, 'r');
    const refusal = { code: 'HOLDFAST_ENGINE_RUN', details: { run: 'r' } };
    await expect(checkpoints.save('r', { state: {} })).rejects.toMatchObject(refusal);
    await expect(checkpoints.latest('r')).rejects.toMatchObject(refusal);
    await expect(checkpoints.prune('r', { keep: 1 })).rejects.toMatchObject(refusal);
  });

  test('refuses an id that another kind of record has', async () => {
    const { journal, checkpoints } = parts();
    await journal.append('r', { id: 'x' });
    await expect(checkpoints.save('r', { id: 'x', state: {} })).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
  });

  test("shows in the run's header where the loop stands", async () => {
    const { store, checkpoints } = parts();
    await checkpoints.save('r', { workflow: 'wf', state: {}, step: 4, next: ['tool'], status: 'waiting' });
    expect(await store.header('r')).toMatchObject({ loop: true, graph: 'wf', step: 4, frontier: ['tool'], status: 'waiting' });
  });

  test.each([
    ['terminal:done', 'completed'],
    ['Completed', 'completed'],
    ['failed', 'failed'],
    ['CANCELLED', 'cancelled'],
  ])('the status %s is %s in the header', async (status, shown) => {
    const { store, checkpoints } = parts();
    await checkpoints.save('r', { state: {}, status: status as 'failed' });
    expect(await store.header('r')).toMatchObject({ status: shown });
  });
});

describe('append()', () => {
  test('notes something in a run that the engine executes, as a guest', async () => {
    const { store, journal } = parts();
    await engineRun(store, 'r');
    expect(await journal.append('r', { payload: 'seen' })).toBe('r@2');
    expect(await store.header('r')).toMatchObject({ loop: false, head: 2 });
  });

  test('gives up when other writers are always faster', async () => {
    const { driver, journal } = parts();
    await journal.append('r', {});
    vi.spyOn(driver, 'commit').mockImplementation(async (batches) =>
      batches.map(() => ({ ok: false, why: 'head', found: undefined })),
    );
    await expect(journal.append('r', {})).rejects.toMatchObject({ code: 'HOLDFAST_CONFLICT', details: { run: 'r' } });
  });

  test('goes on after one before it has failed', async () => {
    const { driver, journal } = parts();
    vi.spyOn(driver, 'commit').mockRejectedValueOnce(new Error('unplugged'));
    const [first, second] = await Promise.allSettled([journal.append('r', {}), journal.append('r', {})]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
  });

  test('finds an id that the run shares with its base', async () => {
    const { journal, checkpoints } = parts();
    await journal.append('a', { id: 'mail', payload: 1 });
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@2', { id: 'b' });
    expect(await journal.append('b', { id: 'mail', payload: 1 })).toBe('a@1');
  });
});

describe('read()', () => {
  test('takes a cursor of the base for the part that is shared, and none of another run', async () => {
    const { journal, checkpoints } = parts();
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

  test.each([{ tga: 'x' }, { kind: 'nope' }, { channel: 5 }, { tag: 5 }])('refuses the filter %o', async (match) => {
    const { journal } = parts();
    const reading = all(journal.read('r', match as object));
    await expect(reading).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    await expect(journal.tail('r', 1, match as object)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test.each([-1, 1.5, Number.NaN, '3'])('tail() refuses the number %o', async (n) => {
    await expect(parts().journal.tail('r', n as number)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test('says so when a run stands on one that is gone', async () => {
    const { disk, journal, checkpoints } = parts();
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@1', { id: 'b' });
    disk.runs.delete('a');
    await expect(journal.tail('b', 1)).rejects.toMatchObject({ code: 'HOLDFAST_DAMAGED', details: { where: 'a' } });
  });
});

describe('prune()', () => {
  test('decides again when a fork came to stand on a checkpoint in between', async () => {
    const { driver, checkpoints } = parts();
    for (const n of [1, 2, 3]) await checkpoints.save('a', { state: { n } });
    const trim = driver.trim.bind(driver);
    vi.spyOn(driver, 'trim').mockImplementationOnce(async (plan: TrimPlan) => {
      await checkpoints.fork('a@1', { id: 'b' });
      return trim(plan);
    });
    expect(await checkpoints.prune('a', { keep: 1 })).toMatchObject({ pruned: 1, protectedBy: [{ checkpoint: 'a@1' }] });
    expect(await checkpoints.latest('b')).toMatchObject({ state: { n: 1 } });
  });

  test('is zeros when the run is deleted in between', async () => {
    const { driver, checkpoints } = parts();
    for (const n of [1, 2]) await checkpoints.save('a', { state: { n } });
    vi.spyOn(driver, 'trim').mockResolvedValueOnce({ ok: false, why: 'missing' });
    expect(await checkpoints.prune('a', { keep: 1 })).toMatchObject({ runs: 0, pruned: 0 });
  });

  test('asks for every fork, however many there are', async () => {
    const { checkpoints } = parts();
    for (const n of [1, 2]) await checkpoints.save('a', { state: { n } });
    for (let n = 0; n < 260; n += 1) await checkpoints.fork('a@2', { id: `fork-${n}` });
    await checkpoints.fork('a@1', { id: 'last' });
    await checkpoints.save('a', { state: {} });
    expect(await checkpoints.prune('a', { keep: 1 })).toMatchObject({ pruned: 0, retained: 3 });
  });

  test('leaves a damaged checkpoint for a person to decide', async () => {
    const { disk, checkpoints } = parts();
    for (const n of [1, 2, 3]) await checkpoints.save('a', { state: { n } });
    damage(disk, 'a', -3, 'head');
    expect(await checkpoints.prune('a', { keep: 1 })).toMatchObject({ pruned: 1, retained: 1 });
  });
});

describe('fork()', () => {
  test('is refused when its checkpoint was pruned in between', async () => {
    const { driver, checkpoints } = parts();
    for (const n of [1, 2]) await checkpoints.save('a', { state: { n } });
    const commit = driver.commit.bind(driver);
    vi.spyOn(driver, 'commit').mockImplementationOnce(async (batches) => {
      await checkpoints.prune('a', { keep: 1 });
      return commit(batches);
    });
    await expect(checkpoints.fork('a@1')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
  });

  test('refuses to set a channel to undefined', async () => {
    const { checkpoints } = parts();
    await checkpoints.save('a', { state: { n: 1 } });
    const forking = checkpoints.fork('a@1', { set: { n: undefined } });
    await expect(forking).rejects.toMatchObject({ code: 'HOLDFAST_UNKNOWN_CHANNEL' });
  });
});

describe('delete()', () => {
  test('looks again when a fork came in between', async () => {
    const { driver, checkpoints } = parts();
    await checkpoints.save('a', { state: { n: 1 } });
    const trim = driver.trim.bind(driver);
    vi.spyOn(driver, 'trim').mockImplementationOnce(async (plan: TrimPlan) => {
      await checkpoints.fork('a@1', { id: 'b' });
      return trim(plan);
    });
    expect(await checkpoints.delete('a')).toBe(true);
    expect(await checkpoints.latest('b')).toMatchObject({ state: { n: 1 } });
  });

  test('takes hidden bases with the last fork, all the way down', async () => {
    const { disk, checkpoints } = parts();
    await checkpoints.save('a', { state: {} });
    await checkpoints.fork('a@1', { id: 'b' });
    await checkpoints.fork('b@2', { id: 'c' });
    await checkpoints.fork('b@2', { id: 'd' });
    for (const run of ['a', 'b', 'c']) expect(await checkpoints.delete(run)).toBe(true);
    expect([...disk.runs.keys()]).toEqual(['a', 'b', 'd']);
    expect(await checkpoints.delete('d')).toBe(true);
    expect([...disk.runs.keys()]).toEqual([]);
  });
});
