import { describe, expect, test, vi } from 'vitest';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { StoredRecord } from '../store/contract/commit.ts';
import type { MemoryRun } from '../store/memory/memory-run.ts';
import { corruptSnapshot, type MemoryParts, memoryParts } from '../testing/memory-parts.ts';
import { verifyStore } from './verify.ts';

const records = 300;

/** A store of two runs, one a fork of the other. */
async function filled(): Promise<MemoryParts & { readonly a: MemoryRun }> {
  const parts = memoryParts();
  const { disk, journal, checkpoints } = parts;
  for (let n = 0; n < records; n += 1) await journal.append('a', { payload: n });
  for (let n = 0; n < 6; n += 1) await checkpoints.save('a', { state: { n } });
  await checkpoints.fork(`a@${records + 1}`, { id: 'b' });
  return { ...parts, a: disk.runs.get('a') as MemoryRun };
}

describe('verifyStore()', () => {
  test('counts everything and finds no corruption', async () => {
    const { store } = await filled();
    expect(await verifyStore(store)).toEqual({ ok: true, records: records + 7, snapshots: 7, corruption: [] });
  });

  test('locates every corrupt record and continues after it', async () => {
    const { store, a } = await filled();
    for (const at of [4, 270]) a.records[at] = { ...(a.records[at] as StoredRecord), text: 'j{}' };
    const { ok, records: read, corruption } = await verifyStore(store);
    expect({ ok, read }).toEqual({ ok: false, read: records + 5 });
    expect(corruption.map(({ where }) => where)).toEqual(['a@5', 'a@271']);
  });

  test.each([0, 10, 299])('locates the record that is missing at %i', async (at) => {
    const { store, a } = await filled();
    a.records.splice(at, 1);
    const { corruption } = await verifyStore(store);
    expect(corruption[0]).toEqual({ where: `a@${at + 1}`, what: expect.stringContaining('missing') });
  });

  test('finds that the last records are missing', async () => {
    const { store, a } = await filled();
    a.records.length = records;
    expect((await verifyStore(store)).corruption).toEqual([
      { where: `a@${records + 1}`, what: expect.stringContaining('missing') },
    ]);
  });

  test('finds an id that is corrupt, also if its record was trimmed', async () => {
    const { store, journal, disk } = memoryParts();
    await journal.append('a', { payload: 1, id: 'one' });
    await store.trim({ runId: 'a', floor: 1, snapshot: { head: null, body: null } });
    expect((await verifyStore(store)).ok).toBe(true);
    const run = disk.runs.get('a') as MemoryRun;
    for (const each of run.ids.values()) run.ids.set(each.id, { ...each, seq: 1, text: 'hother' });
    expect((await verifyStore(store)).corruption).toEqual([
      { where: expect.stringContaining('a@1 id '), what: expect.stringContaining('checksum') },
    ]);
  });

  test('finds a record that its id does not lead to', async () => {
    const { store, journal, disk } = memoryParts();
    await journal.append('a', { payload: 1, id: 'one' });
    disk.runs.get('a')?.ids.clear();
    expect((await verifyStore(store)).corruption).toEqual([
      { where: 'a@1', what: expect.stringContaining('does not lead to its record') },
    ]);
  });

  test('locates a corrupt snapshot', async () => {
    const { store, disk } = await filled();
    corruptSnapshot(disk, 'a', -4, 'body');
    const { ok, snapshots, corruption } = await verifyStore(store);
    expect({ ok, snapshots }).toEqual({ ok: false, snapshots: 6 });
    expect(corruption[0]?.where).toContain(`a@${records + 3}`);
  });

  test('finds a fork whose base is gone', async () => {
    const { store, disk } = await filled();
    disk.runs.delete('a');
    expect(await verifyStore(store)).toMatchObject({ ok: false, corruption: [{ where: 'b' }] });
  });

  test('reads what forks keep of a deleted run', async () => {
    const { store } = await filled();
    await store.trim({ runId: 'a', hide: { keepTo: records + 1 } });
    expect(await verifyStore(store)).toEqual({ ok: true, records: records + 2, snapshots: 2, corruption: [] });
  });

  test('passes on a failure that is not corruption', async () => {
    const { store, driver } = await filled();
    vi.spyOn(driver, 'records').mockRejectedValue(new Error('unplugged'));
    await expect(verifyStore(store)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  });

  test('reports what a driver itself finds corrupt without a place', async () => {
    const { store, driver } = await filled();
    vi.spyOn(driver, 'snapshots').mockRejectedValue(holdfastError('HOLDFAST_CORRUPT', 'unreadable'));
    const { corruption } = await verifyStore(store);
    expect(corruption).toContainEqual({ where: 'snapshots of a', what: 'unreadable' });
  });
});
