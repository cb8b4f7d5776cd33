import { describe, expect, test } from 'vitest';
import { holdfastError } from '../errors/holdfast-error.ts';
import { claimOne, commit, create, externalWriteOf, ownerOf, snapshotOf } from '../testing/contract/given.ts';
import { failingMemory } from '../testing/failing-memory.ts';
import { corruptSnapshot } from '../testing/memory-parts.ts';
import { composeLoad } from './compose-load.ts';

const code = (code: string): unknown => expect.objectContaining({ code });

/** Two snapshots, of which the newest is corrupt where that is asked for. */
async function setUpLoad(isCorrupt: (seq: number) => boolean) {
  const parts = failingMemory({
    change: (inside) => ({
      snapshots: async (query) =>
        (await inside.snapshots(query)).map((found) =>
          isCorrupt(found.seq) ? { ...found, body: { text: 'j1', crc: 0 } } : found,
        ),
      load: (query) => composeLoad(parts.driver, query),
    }),
  });
  const { store } = parts;
  await create(store, 'run', { worker: 'w', snapshot: snapshotOf(1) });
  await commit(store, ownerOf('run', { expect: 1, fence: 1, snapshot: snapshotOf(2) }));
  await commit(store, externalWriteOf('run', { expect: 2 }));
  return parts;
}

describe('load()', () => {
  test('decodes what the driver gives, and says how large it is', async () => {
    const { store } = await setUpLoad(() => false);
    const loaded = await store.load({ runId: 'run', limit: 9 });
    expect(loaded).toMatchObject({ header: { head: 3 }, lineage: [], snapshot: { covers: 2 }, entries: [{ seq: 3 }] });
    expect(loaded?.bytes).toBeGreaterThan(10);
    expect(await store.load({ runId: 'nobody', limit: 9 })).toBeUndefined();
  });

  test('uses an older snapshot, or none, where the newest is corrupt', async () => {
    const older = await (await setUpLoad((seq) => seq === 2)).store.load({ runId: 'run', limit: 9 });
    expect(older).toMatchObject({ snapshot: { covers: 1 }, entries: [{ seq: 2 }, { seq: 3 }] });
    const none = await (await setUpLoad(() => true)).store.load({ runId: 'run', limit: 9 });
    expect(none?.snapshot).toBeUndefined();
    expect(none?.entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test('rejects when the run is gone while an older snapshot is looked for', async () => {
    const { store, driver } = await setUpLoad(() => true);
    const real = driver.load.bind(driver);
    driver.load = async (query) => (query.before === undefined ? real(query) : undefined);
    await expect(store.load({ runId: 'run', limit: 9 })).rejects.toThrow(code('HOLDFAST_CORRUPT'));
  });

  test('finds a record that the driver left out', async () => {
    const { store, driver } = await setUpLoad(() => true);
    const real = driver.records.bind(driver);
    driver.records = async (query) => (await real(query)).filter(({ seq }) => seq !== 2);
    await expect(store.load({ runId: 'run', limit: 9 })).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { where: 'run@2' },
    });
  });
});

describe('claim()', () => {
  test('gives the run to open, with an older snapshot where the newest is corrupt', async () => {
    const { store, disk } = failingMemory();
    await create(store, 'run', { snapshot: snapshotOf(1) });
    corruptSnapshot(disk, 'run', -1, 'body');
    const { claimed } = await claimOne(store, 'worker', 'run');
    expect(claimed[0]?.header).toMatchObject({ runId: 'run', fence: 1 });
    expect(await claimed[0]?.open()).toMatchObject({ snapshot: undefined, entries: [{ seq: 1 }] });
  });

  test('passes on which runs are corrupt', async () => {
    const corrupt = [holdfastError('HOLDFAST_CORRUPT', 'Corrupt.')];
    const { store } = failingMemory({
      change: (inside) => ({ claim: async (request) => ({ ...(await inside.claim(request)), corrupt }) }),
    });
    expect((await claimOne(store, 'worker', 'run')).corrupt).toBe(corrupt);
  });

  test("goes by the store's clock from then on", async () => {
    const dayMs = 86_400_000;
    const { store } = failingMemory({
      change: (inside) => ({
        claim: async (request) => ({ ...(await inside.claim(request)), now: Date.now() + dayMs }),
      }),
    });
    await create(store, 'before');
    await store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 1 });
    await create(store, 'after');
    const [before, after] = await store.runs({ order: 'oldest', limit: 2 }).then((found) => found.toReversed());
    expect((after?.updatedAt ?? 0) - (before?.updatedAt ?? 0)).toBeGreaterThan(dayMs - 60_000);
    expect(store.clock.now()).toBeGreaterThan(Date.now() + dayMs - 60_000);
  });
});
